package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.Test;

class NodeFileTest extends CommandTestBase {
  @Test
  void aFileHasNamesInLinesAndWithCommas() {
    assertThat(NodeFile.names("# first\nn1,n2 # two\n\nn[3-4]\nn5*2\n"))
        .containsExactly("n1", "n2", "n[3-4]", "n5", "n5");
    assertThat(NodeFile.names(" n1\n")).isEmpty();
    assertThat(NodeFile.names("")).isEmpty();
  }

  @Test
  void theNodesOfAFileAreThoseThatAJobAsksFor() throws IOException {
    Captured sbatch = serve().input("#!/bin/sh\n");
    controller().answer(c -> new Reply.Submitted(42, List.of()));
    Files.writeString(folder.resolve("hosts"), "n1\nn2\n");
    assertThat(sbatch.run("sbatch", "-F", "hosts", "--wrap=true")).isZero();
    Command.Submit submit = (Command.Submit) controller().taken().getLast();
    assertThat(submit.submission().options())
        .containsEntry("nodelist", "n1,n2")
        .doesNotContainKey("nodefile");
    assertThat(sbatch.run("sbatch", "-F", "nosuch", "--wrap=true")).isEqualTo(255);
    assertThat(sbatch.err())
        .isEqualTo(
            """
            sbatch: error: slurm_allocate_resources error opening file nosuch, No such file or directory
            sbatch: error: Invalid --nodefile node file
            """);
  }
}
