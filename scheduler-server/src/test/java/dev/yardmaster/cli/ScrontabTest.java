package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Crontab;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.SlurmError;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ScrontabTest extends CommandTestBase {
  private static final Identity ROOT = new Identity("root", 0, "root", 0);
  private Captured scrontab = new Captured();

  @BeforeEach
  void prepare() throws IOException {
    enable("enable");
    scrontab = serve();
  }

  private void enable(String parameters) {
    TreeMap<String, String> settings = new TreeMap<>(lab.state().config().settings());
    settings.put("ScronParameters", parameters);
    lab.apply(
        new Event.ConfigApplied(
            lab.now(), lab.state().config().withSettings(Immutable.sortedMap(settings))));
  }

  private List<JobSubmission> jobs() {
    return ((Command.SaveCrontab) controller().taken().getLast()).jobs();
  }

  @Test
  void aFileBecomesTheCrontabAndEachOfItsLinesAJob() throws IOException {
    String text =
        """
        # every day
        DIR = "/opt/a b"
        #SCRON -p main --time 1:00
        #SCRON -J nightly
        0 5 * * *\t$DIR/run $DIR
        @hourly date now
        """;
    Files.writeString(folder.resolve("tab"), text);
    assertThat(scrontab.run("scrontab", "tab")).isZero();
    assertThat(scrontab.out() + scrontab.err()).isEmpty();
    Command.SaveCrontab save = (Command.SaveCrontab) controller().taken().getLast();
    assertThat(save.text()).isEqualTo(text);
    assertThat(save.owner()).isEqualTo(ROOT);
    JobSubmission first = save.jobs().getFirst();
    assertThat(first.options())
        .containsEntry("partition", "main")
        .containsEntry("time", "1:00")
        .containsEntry("job-name", "nightly")
        .containsEntry("crontab-entry", "3-5 0 5 * * *");
    assertThat(first.script())
        .isEqualTo(
            """
            #!/bin/sh
            # This job was submitted through scrontab
            #SCRON -p main --time 1:00
            #SCRON -J nightly
            # crontab time request was: '0 5 * * *'
            /opt/a b/run $DIR
            """);
    JobSubmission second = save.jobs().getLast();
    assertThat(second.options())
        .doesNotContainKey("partition")
        .containsEntry("job-name", "date")
        .containsEntry("crontab-entry", "6-6 0 0-23 * * *");
    assertThat(second.workDir()).isNotEmpty();
  }

  @Test
  void whatIsWrongIsSaidAsSlurmDoesAndNothingIsSent() {
    assertThat(scrontab.input("#SCRON -p main --bad x\n@hourly x\n").run("scrontab", "-"))
        .isEqualTo(1);
    assertThat(scrontab.err())
        .isEqualTo("scrontab: error: Invalid option found in #SCRON line: --bad\n");
    assertThat(scrontab.out()).isEqualTo("There are errors in your crontab.\n");
    assertThat(scrontab.input("  #SCRON -J x\n@hourly x\n").run("scrontab", "-")).isEqualTo(1);
    assertThat(scrontab.err())
        .isEqualTo("scrontab: error: Invalid option found in #SCRON line: ON\n");
    assertThat(scrontab.input("61 * * * * x\n").run("scrontab")).isEqualTo(1);
    assertThat(scrontab.err()).isEqualTo("scrontab: error: something is broken\n");
    assertThat(scrontab.input("@never x\n").run("scrontab")).isEqualTo(1);
    assertThat(scrontab.err())
        .isEqualTo("scrontab: error: invalid @ line\nscrontab: error: something is broken\n");
    assertThat(scrontab.input("#SCRON --array=1-2\n@daily x\n").run("scrontab")).isEqualTo(1);
    assertThat(scrontab.input("#SCRON -n 1 -c abc\n@daily x\n").run("scrontab")).isEqualTo(1);
    assertThat(scrontab.err()).endsWith("Invalid option found in #SCRON line: abc\n");
    assertThat(scrontab.run("scrontab", "nosuch")).isEqualTo(1);
    assertThat(scrontab.err()).isEqualTo("scrontab: fatal: failed to open nosuch\n");
    assertThat(controller().taken()).isEmpty();
  }

  @Test
  void aLineThatTheControllerRefusesIsNamed() {
    String detail = "2-3\ninvalid partition specified: x\nadvice";
    controller().answer(c -> new Reply.Refused(SlurmError.INVALID_PARTITION_NAME, detail));
    assertThat(scrontab.input("\n#SCRON -p x\n@daily x\n").run("scrontab")).isEqualTo(1);
    assertThat(scrontab.out())
        .isEqualTo(
            """
            There was an issue with the job submission on lines 2-3
            The error code return was: Invalid partition name specified
            The error message was: invalid partition specified: x
            """);
    assertThat(jobs()).hasSize(1);
  }

  @Test
  void aCrontabIsListedWithWhatIsDisabledAndRemoved() {
    assertThat(scrontab.run("scrontab", "-l")).isEqualTo(1);
    assertThat(scrontab.out()).isEqualTo("no crontab for root\n");
    controller()
        .happen(
            new Event.CrontabSaved(
                lab.now(), "root", new Crontab("a\nb\nc\n", List.of("2-3")), "root"));
    assertThat(scrontab.run("scrontab", "-u", "root", "-l")).isZero();
    assertThat(scrontab.out()).isEqualTo("a\n#DISABLED: b\n#DISABLED: c\n");
    assertThat(scrontab.run("scrontab", "-r")).isZero();
    Command.SaveCrontab save = (Command.SaveCrontab) controller().taken().getLast();
    assertThat(save.text()).isNull();
    controller().answer(c -> new Reply.Refused(SlurmError.INVALID_USER_ID, null));
    assertThat(scrontab.run("scrontab", "-r")).isEqualTo(1);
    assertThat(scrontab.err())
        .isEqualTo("scrontab: fatal: slurm_remove_crontab failed: Invalid user id\n");
  }

  @Test
  void whoeverMayNotReadItAndACommandLineThatIsNone() throws IOException {
    assertThat(scrontab.run("scrontab", "-l", "file")).isEqualTo(1);
    assertThat(scrontab.err()).startsWith("usage:\tscrontab [-u user] file\n");
    assertThat(scrontab.run("scrontab", "--list")).isEqualTo(1);
    assertThat(scrontab.run("scrontab", "-u", "nosuchuser", "-l")).isEqualTo(1);
    assertThat(scrontab.err()).isEqualTo("scrontab: fatal: Could not find user nosuchuser\n");
    enable("");
    scrontab = serveAgain();
    for (String option : List.of("-l", "-r", "-")) {
      assertThat(scrontab.run("scrontab", option)).isEqualTo(1);
      assertThat(scrontab.err())
          .isEqualTo("scrontab: fatal: scrontab is disabled on this cluster\n");
    }
  }
}
