package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What squeue(1) and sinfo(1) can show, sort by and filter by, each kind as a whole. */
class ColumnsTest extends CommandTestBase {
  /** What squeue can sort jobs by; the rest of the letters it refuses. */
  private static final String SORTED = "BcCdDefgGhHiIjJlLmMnNOpPQStTuUvVz";

  private Captured command = new Captured();

  @BeforeEach
  void prepare() throws IOException {
    fill();
    command = serve();
  }

  private int run(String... words) {
    return command.run(words[0], Arrays.copyOfRange(words, 1, words.length));
  }

  private static String name(String column) {
    return column.charAt(1) == ' ' ? column.substring(2) : column;
  }

  private void everyColumn(List<String> columns, String... listing) {
    for (String column : columns) {
      String[] words = Arrays.copyOf(listing, listing.length + 2);
      words[listing.length] = "-O";
      words[listing.length + 1] = name(column).toUpperCase(Locale.ROOT) + ":.90";
      assertThat(run(words)).as(column).isZero();
      assertThat(command.err()).as(column).isEmpty();
      assertThat(command.out().lines()).as(column).allMatch(line -> line.length() == 90);
      if (column.charAt(1) == ' ') {
        words[listing.length] = "-o";
        words[listing.length + 1] = "<%" + column.charAt(0) + ">";
        assertThat(run(words)).as(column).isZero();
        assertThat(command.err()).as(column).isEmpty();
        assertThat(command.out().lines()).as(column).allMatch(line -> line.endsWith(">"));
      }
    }
  }

  @Test
  void everyColumnThatHelpNamesCanBeShown() {
    everyColumn(ColumnHelp.JOBS, "squeue", "-a");
    everyColumn(ColumnHelp.STEPS, "squeue", "-s");
    everyColumn(ColumnHelp.NODES, "sinfo");
    everyColumn(ColumnHelp.NODES, "sinfo", "-N");
  }

  @Test
  void helpNamesEachColumnOnce() {
    command.run("squeue", "--helpFormat");
    assertThat(command.out().split("\\s+"))
        .containsExactlyElementsOf(ColumnHelp.JOBS.stream().map(ColumnsTest::name).toList());
    command.run("sinfo", "--helpformat");
    assertThat(command.out()).startsWith("%S    %a    %V").endsWith("%v    %w    \n");
  }

  @Test
  void whatIsNoColumnIsSaidAndLeftOut() {
    assertThat(command.run("squeue", "-j", "1", "-O", "jobid:5,nosuch,name:.8|")).isZero();
    assertThat(command.err())
        .isEqualTo("squeue: error: Invalid job format specification: nosuch\n");
    assertThat(command.out()).isEqualTo("JOBID    NAME|\n1       whole|\n");
    assertThat(command.run("squeue", "-s", "-h", "-o", "%i %x")).isZero();
    assertThat(command.err())
        .isEqualTo("squeue: error: Invalid job step format specification: x\n");
    assertThat(command.run("sinfo", "-h", "-p", "slow", "-o", "%R|%j|")).isZero();
    assertThat(command.err()).isEqualTo("Invalid node format specification: j\n");
    assertThat(command.out()).isEqualTo("slow|%j|\n");
  }

  @Test
  void timesAndNodesToTheRightAreNotCut() {
    command.run("squeue", "-j", "1", "-o", "%.3l|%3l|%.2N|%.2j");
    assertThat(command.out()).isEqualTo("TIM|TIM|NODELIST|NA\n1:30:00|1:3|n[1-3]|wh\n");
  }

  @Test
  void aWidthIsReadAsANumberWithASign() {
    command.run("squeue", "-h", "-j", "1", "-O", "jobid:+5,name: 7x,state:-3,username:");
    assertThat(command.out()).isEqualTo("1    whole  xRUNNING bob\n");
  }

  @Test
  void jobsAreSortedByTheLettersThatTheManualNames() {
    Set<Character> sorted = SORTED.chars().mapToObj(c -> (char) c).collect(Collectors.toSet());
    for (char c = 'A'; c <= 'z'; c++) {
      if (!Character.isLetter(c) || c == 'b') {
        continue;
      }
      int expected = sorted.contains(c) ? 0 : 1;
      assertThat(command.run("squeue", "-S", "-" + c + ",i")).as("" + c).isEqualTo(expected);
      assertThat(command.err().lines().findFirst().orElse(""))
          .as("" + c)
          .isEqualTo(expected == 0 ? "" : "squeue: error: Invalid sort specification: " + c);
      assertThat(command.run("sinfo", "-S", "-" + c)).as("" + c).isZero();
      assertThat(command.run("squeue", "-s", "-S", "" + c)).as("" + c).isZero();
    }
    assertThat(command.run("squeue", "-S", "cluster,-b,i")).isZero();
    assertThat(command.err()).isEqualTo("squeue: Invalid sort specification: b\n");
  }

  @Test
  void ofEqualJobsTheLatestStartComesFirstAndWhatHasNoneLast() {
    command.run("squeue", "-h", "-o", "%i", "-S", "cluster", "-t", "PD");
    assertThat(command.out().lines()).startsWith("3").containsExactly("3", "6_[2-5%2]", "5", "4");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "-t nosuch; 1; squeue: error: Invalid job state specified: nosuch",
        "-t run; 1; squeue: error: Invalid job state specified: run",
        "-w nosuch; 1; squeue: error: Invalid node name nosuch",
        "-w n[; 1; squeue: error: 'n[' invalid entry for --nodelist",
        "-u nosuch; 0; squeue: error: Invalid user: nosuch",
        "-j 99999; 1; slurm_load_jobs error: Invalid job id specified",
        "-j 99999,99998; 0; ''",
        "-j 6_99; 0; ''",
        "-j abc; 1; squeue: error: Invalid job id: abc",
        "-j 6_[2-3]; 1; squeue: error: Invalid job id: 6_[2-3]",
        "-j 0; 1; squeue: error: Invalid job id: 0",
        "-s 1; 1; squeue: error: Invalid job_step id: 1.??",
        "-s1; 1; squeue: error: Invalid job_step id: 1.??",
        "-s1.x; 0; ''",
        "-A nosuch; 0; ''",
        "-p nosuch; 0; ''",
        "-q nosuch; 0; ''",
        "-n nosuch; 0; ''",
        "-R nosuch; 0; ''",
        "-L nosuch; 0; ''",
        "-i 0; 1; squeue: error: --iterate=0",
        "--running-over=0; 1; squeue: fatal: Invalid time limit specification",
        "--running-over=20 --running-under=10; 1; squeue: fatal: --running-over=00:20:00 and"
            + " --running-under=00:10:00 will return 0 jobs.",
        "-o %i -O jobid; 1; squeue: error: -O (--Format) is incompatible with -o (--format)",
        "-O jobid -o %i; 1; squeue: error: -o (--format) is incompatible with -O (--Format)",
        "-l -o %i; 1; squeue: fatal: Options -o(--format) and -l(--long) are mutually exclusive."
            + " Please remove one and retry.",
        "-M nosuch; 1; squeue: error: No cluster 'nosuch' known by database.",
        "--json=nosuch; 1; squeue: error: load_plugins: unable to find plugin: data_parser/nosuch"
      })
  void aFilterThatIsWrongIsToldFromOneThatMatchesNothing(String options, int exit, String error) {
    String[] words = ("squeue " + options).split(" ");
    assertThat(run(words)).isEqualTo(exit);
    assertThat(command.err().lines().findFirst().orElse("")).isEqualTo(error);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "-t nosuch; 1; sinfo: error: Bad state string: \"nosuch\"",
        "-t idle,nosuch; 1; sinfo: error: Bad state string: \"nosuch\"",
        "-t error; 1; sinfo: error: Bad state string: \"error\"",
        "-t i; 0; ''",
        "-t drng&comp; 0; ''",
        "-t ~idle+!down; 0; ''",
        "-n nosuch; 0; ''",
        "-n n[; 1; sinfo: error: 'n[' invalid entry for --nodes",
        "-p nosuch; 0; ''",
        "-p main -a; 1; 'sinfo: error: Conflicting options, -a and -p, specified. Please choose one"
            + " or the other.'",
        "-i 0; 1; sinfo: error: Error: invalid entry for --iterate=0",
        "-l -O partition; 1; sinfo: fatal: Options -o(--format) and -l(--long) are mutually"
            + " exclusive. Please remove one and retry.",
        "-O nosuch; 0; sinfo: error: Invalid job format specification: nosuch",
        "extra; 0; ''"
      })
  void sinfoTellsTheSame(String options, int exit, String error) {
    String[] words = ("sinfo " + options).split(" ");
    assertThat(run(words)).isEqualTo(exit);
    assertThat(command.err().lines().findFirst().orElse("")).isEqualTo(error);
  }

  @Test
  void aJobThatWaitsForSeveralPartitionsHasALineForEach() {
    command.run("squeue", "-h", "-P", "-o", "%i %P", "-j", "1");
    assertThat(command.out()).isEqualTo("1 main\n");
  }

  @Test
  void someTasksOfAnArrayAreListedWithoutTheOthers() {
    command.run("squeue", "-h", "-j", "6_3,6_5,6_1", "-S", "i", "-o", "%i");
    assertThat(command.out().lines()).containsExactly("6_1", "6_[3,5]");
  }
}
