package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.SlurmError;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SbatchTest extends CommandTestBase {
  private Captured sbatch = new Captured();

  @BeforeEach
  void prepare() throws IOException {
    sbatch = serve();
    controller().answer(command -> new Reply.Submitted(42, List.of()));
  }

  private JobSubmission submitted() {
    List<Command> commands = controller().taken();
    assertThat(commands).hasSize(1);
    return ((Command.Submit) commands.getFirst()).submission();
  }

  private String script(String text) throws IOException {
    Path file = folder.resolve("job.sh");
    Files.writeString(file, text);
    return file.toString();
  }

  @Test
  void aScriptWithArguments() throws IOException {
    String path = script("#!/bin/sh\necho $1\n");
    assertThat(sbatch.run("sbatch", "-N2", "--gres=gpu:1", path, "-n", "x y")).isZero();
    assertThat(sbatch.out()).isEqualTo("Submitted batch job 42\n");
    JobSubmission submission = submitted();
    assertThat(submission.options()).isEqualTo(Map.of("nodes", "2", "gres", "gpu:1"));
    assertThat(submission.script()).isEqualTo("#!/bin/sh\necho $1\n");
    assertThat(submission.arguments()).containsExactly("-n", "x y");
    assertThat(submission.command()).isEqualTo(path);
    assertThat(submission.submitLine()).isEqualTo("sbatch -N2 --gres=gpu:1 " + path + " -n x y");
    assertThat(submission.workDir()).isEqualTo(folder.toString());
  }

  @Test
  void aHeterogeneousJobFromTheCommandLineAndTheScript() throws IOException {
    sbatch.run("sbatch", "-Jx", "-n1", "--gres=gpu:1", "-t5", ":", "-N2", "--wrap=true");
    assertThat(components())
        .containsExactly(
            Map.of("job-name", "x", "ntasks", "1", "gres", "gpu:1", "time", "5", "wrap", "true"),
            Map.of("job-name", "x", "nodes", "2", "time", "5", "wrap", "true"));
    sbatch.run("sbatch", "-n1", ":", "-n2", "-t5", "--mem=2G", "--wrap=true");
    assertThat(components())
        .as("the first component has of the job as a whole what only a later one says")
        .containsExactly(
            Map.of("ntasks", "1", "time", "5", "mem", "2G", "wrap", "true"),
            Map.of("ntasks", "2", "time", "5", "mem", "2G", "wrap", "true"));
    String path = script("#!/bin/sh\n#SBATCH -n1 -t7\n#SBATCH hetjob\n#SBATCH -N3\ntrue\n");
    sbatch.run("sbatch", path);
    assertThat(components())
        .containsExactly(Map.of("ntasks", "1", "time", "7"), Map.of("nodes", "3", "time", "7"));
  }

  @Test
  void anExternalJobHasNoScript() {
    assertThat(sbatch.run("sbatch", "--external", "-N2")).isZero();
    assertThat(submitted().script()).isEmpty();
    assertThat(sbatch.run("sbatch", "--external", "--wrap=true")).isEqualTo(1);
    assertThat(sbatch.err())
        .endsWith("sbatch: error: --wrap option not permitted with --external option\n");
    assertThat(sbatch.run("sbatch", "--external", "file")).isEqualTo(1);
    assertThat(sbatch.err())
        .endsWith("sbatch: error: Script arguments not permitted with --external option\n");
    assertThat(sbatch.run("sbatch", "--external", ":", "-n1", "--wrap=true")).isEqualTo(1);
    assertThat(sbatch.err())
        .endsWith(
            "sbatch: error: --wrap option not permitted with --external option on the first"
                + " component\n");
  }

  private List<Map<String, String>> components() {
    List<Command> commands = controller().taken();
    assertThat(commands).hasSize(1);
    return ((Command.SubmitHet) commands.getFirst())
        .components().stream().<Map<String, String>>map(JobSubmission::options).toList();
  }

  @Test
  void aCommandToWrapAndAScriptFromStandardInput() {
    sbatch.run("sbatch", "--parsable", "--wrap=sleep 5 | cat");
    assertThat(sbatch.out()).isEqualTo("42\n");
    assertThat(submitted().options()).isEqualTo(Map.of("wrap", "sleep 5 | cat"));
    sbatch.input("#!/bin/sh\n#SBATCH -t 5\ntrue\n").run("sbatch");
    JobSubmission read = submitted();
    assertThat(read.script()).startsWith("#!/bin/sh");
    assertThat(read.command()).isEmpty();
    assertThat(read.options()).isEqualTo(Map.of("time", "5"));
  }

  @ParameterizedTest
  @CsvSource({
    "--begin=yesterday, 0, begin",
    "--begin=16:61, 3, begin",
    "--deadline=x, 0, deadline"
  })
  void aTimeThatIsNoneIsPointedAtBeforeAnythingIsSubmitted(
      String option, int position, String name) {
    assertThat(sbatch.run("sbatch", option, "--wrap=true")).isEqualTo(255);
    assertThat(sbatch.err())
        .isEqualTo(
            "Invalid time specification (pos=%d): %s\nsbatch: error: Invalid --%s specification\n"
                .formatted(position, option.substring(option.indexOf('=') + 1), name));
    assertThat(controller().taken()).isEmpty();
  }

  @Test
  void directivesEndWithTheFirstCommandAndKeepQuotedTexts() throws IOException {
    String path =
        script(
            """
            #!/bin/bash
            #SBATCH -n2 -t5  # two tasks
            # a comment
            #SBATCH --comment="a b = | c" -o 'test output'

            #SBATCH --job-name=it\\'s
            ##SBATCH --nodes=9
            #SBATCHX --nodes=9
            true
            #SBATCH -n7
            """);
    sbatch.run("sbatch", path);
    assertThat(submitted().options())
        .isEqualTo(
            Map.of(
                "ntasks", "2",
                "time", "5",
                "comment", "a b = | c",
                "output", "test output",
                "job-name", "it's"));
  }

  @Test
  void theCommandLineCountsMoreThanTheEnvironmentAndThatMoreThanTheScript() throws IOException {
    String path = script("#!/bin/sh\n#SBATCH -p one -t 1 -A a --mem-per-cpu=1G -N 1\ntrue\n");
    sbatch
        .set("SBATCH_PARTITION", "two")
        .set("SBATCH_TIMELIMIT", "2")
        .set("SBATCH_EXCLUSIVE", "user")
        .set("SBATCH_REQUEUE", "1");
    sbatch.run("sbatch", "-t", "3", "--mem=5G", path);
    assertThat(submitted().options())
        .isEqualTo(
            Map.of(
                "partition", "two",
                "time", "3",
                "account", "a",
                "mem", "5G",
                "nodes", "1",
                "exclusive", "user",
                "requeue", ""));
  }

  @Test
  void whatAJobFindsInItsEnvironmentIsNoOption() throws IOException {
    String path = script("#!/bin/sh\ntrue\n");
    sbatch
        .set("SLURM_JOB_NAME", "outer")
        .set("SLURM_JOB_NODELIST", "n9")
        .set("SLURM_NTASKS", "7")
        .set("SLURM_JOB_PARTITION", "big")
        .set("SLURM_MEM_PER_NODE", "9");
    sbatch.run("sbatch", path);
    JobSubmission submission = submitted();
    assertThat(submission.options()).isEmpty();
    assertThat(submission.environment()).containsEntry("SLURM_JOB_NAME", "outer");
  }

  @Test
  void severalDependenciesMustAllBeMet() {
    sbatch.run("sbatch", "--dependency=afterok:1", "-d", "afterok:2", "--wrap=true");
    assertThat(submitted().options()).containsEntry("dependency", "afterok:1,afterok:2");
  }

  @Test
  void aStraySpaceInAListIsExplained() {
    sbatch.terminal();
    assertThat(sbatch.run("sbatch", "--dependency=afterok:165337", ",afterok:165339")).isEqualTo(1);
    assertThat(sbatch.err())
        .isEqualTo(
            "sbatch: error: Unable to open file ,afterok:165339\n"
                + "a space before \",\" has split the value of an option\n");
    assertThat(controller().taken()).isEmpty();
  }

  @Test
  void theEnvironmentMayComeFromAFile() throws IOException {
    Files.writeString(folder.resolve("env"), "A=1\0B=x=y\nz\0");
    sbatch.set("C", "3").run("sbatch", "--export-file=env", "--wrap=true");
    JobSubmission submission = submitted();
    assertThat(submission.environment()).isEqualTo(Map.of("A", "1", "B", "x=y\nz"));
    assertThat(submission.options()).containsOnlyKeys("wrap");
    assertThat(sbatch.run("sbatch", "--export-file=/nonexistent", "--wrap=true")).isEqualTo(1);
    assertThat(sbatch.err())
        .isEqualTo("sbatch: error: Could not open user environment file /nonexistent\n");
  }

  @Test
  void noticesGoToStandardError() {
    controller().answer(c -> new Reply.Submitted(7, List.of("warning: one node only")));
    sbatch.run("sbatch", "--parsable", "--wrap=true");
    assertThat(sbatch.out()).isEqualTo("7\n");
    assertThat(sbatch.err()).isEqualTo("sbatch: warning: one node only\n");
  }

  @Test
  void whatIsNoScriptIsRefusedHere() throws IOException {
    expectRefused("", "Batch script is empty!");
    expectRefused(
        "echo no shebang\n",
        "This does not look like a batch script.  The first",
        "line must start with #! followed by the path to an interpreter.",
        "For instance: #!/bin/sh");
    expectRefused(
        "#!/bin/bash\r\necho dos\r\n",
        "Batch script contains DOS line breaks (\\r\\n)",
        "instead of expected UNIX line breaks (\\n).");
    assertThat(sbatch.run("sbatch", "/nonexistent.sh")).isEqualTo(1);
    assertThat(sbatch.err()).isEqualTo("sbatch: error: Unable to open file /nonexistent.sh\n");
    assertThat(sbatch.run("sbatch", "--wrap=true", "file")).isEqualTo(1);
    assertThat(sbatch.err())
        .isEqualTo("sbatch: error: Script arguments not permitted with --wrap option\n");
    assertThat(controller().taken()).isEmpty();
  }

  private void expectRefused(String text, String... lines) throws IOException {
    assertThat(sbatch.run("sbatch", script(text))).isEqualTo(1);
    assertThat(sbatch.err().lines())
        .containsExactly(
            Arrays.stream(lines).map(line -> "sbatch: error: " + line).toArray(String[]::new));
  }

  @Test
  void anUnknownOptionOfTheScriptIsNamed() throws IOException {
    String path = script("#!/bin/bash\n#SBATCH --bogus\ntrue\n");
    assertThat(sbatch.run("sbatch", path)).isEqualTo(255);
    assertThat(sbatch.err())
        .isEqualTo(
            "sbatch: unrecognized option '--bogus'\nTry \"sbatch --help\" for more information\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "INVALID_NODE_COUNT;;1;sbatch: error: Batch job submission failed: Node count"
            + " specification invalid",
        "INVALID_PARTITION_NAME;invalid partition specified: x;1;sbatch: error: invalid partition"
            + " specified: x|sbatch: error: Batch job submission failed: Invalid partition name"
            + " specified",
        "COMMAND_LINE;Invalid --time specification;255;sbatch: error: Invalid --time"
            + " specification",
        "COMMAND_VALUE;Invalid numeric value \"0\" for --ntasks.;1;sbatch: error: Invalid numeric"
            + " value \"0\" for --ntasks.",
        "COMMAND_FATAL;--mem and --mem-per-cpu;1;sbatch: fatal: --mem and --mem-per-cpu",
      })
  void refusalsHaveSlurmsTextsAndCodes(SlurmError error, String detail, int code, String expected) {
    controller().answer(c -> new Reply.Refused(error, detail));
    assertThat(sbatch.run("sbatch", "--wrap=true")).isEqualTo(code);
    assertThat(sbatch.err().strip()).isEqualTo(expected.replace('|', '\n'));
    assertThat(sbatch.out()).isEmpty();
  }

  @Test
  void testOnlyTellsWhenAndWhere() {
    controller()
        .answer(
            c -> new Reply.WouldStart(Instant.parse("2026-11-29T12:52:34Z"), 2, "n[1-2]", "main"));
    assertThat(sbatch.run("sbatch", "--test-only", "-N2", "--wrap=true")).isZero();
    assertThat(sbatch.err())
        .isEqualTo(
            "sbatch: Job 1 to start at 2026-11-29T12:52:34 a using 2 processors on nodes n[1-2] in"
                + " partition main\n");
    controller().answer(c -> new Reply.Refused(SlurmError.INVALID_NODE_COUNT, null));
    assertThat(sbatch.run("sbatch", "--test-only", "-N7", "--wrap=true")).isEqualTo(1);
    assertThat(sbatch.err()).isEqualTo("allocation failure: Node count specification invalid\n");
  }

  @Test
  void waitEndsWithTheExitCodeOfTheJob() throws InterruptedException {
    int id = lab.submit(JobSpec.job("waited"));
    controller().happen(new Event.JobSubmitted(lab.now(), lab.job(id)));
    controller().answer(c -> new Reply.Submitted(id, List.of()));
    int[] code = {-1};
    Thread waiting =
        Thread.ofPlatform().start(() -> code[0] = sbatch.run("sbatch", "-W", "--wrap=x"));
    controller()
        .happen(
            new Event.JobEdited(
                lab.now(),
                lab.job(id)
                    .with(
                        j ->
                            j.state(JobState.FAILED)
                                .reason(Reason.NON_ZERO_EXIT_CODE)
                                .exitCode(new ExitCode(9, 0))),
                "test",
                "ended"));
    waiting.join(20_000);
    assertThat(code[0]).isEqualTo(9);
    assertThat(sbatch.out()).isEqualTo("Submitted batch job " + id + "\n");
  }

  @Test
  void whatIsNoCommandIsSaidSo() {
    assertThat(Cli.knows("sbcast")).isTrue();
    assertThat(Cli.knows("snosuch")).isFalse();
    assertThat(sbatch.run("snosuch", "-x")).isEqualTo(1);
    assertThat(sbatch.err()).isEqualTo("snosuch: not a command of Yardmaster\n");
  }

  @Test
  void aDeadlineLiesBehindTheBegin() {
    assertThat(sbatch.run("sbatch", "--begin=now+2hours", "--deadline=now+1hour", "--wrap=true"))
        .isOne();
    assertThat(sbatch.err())
        .startsWith("sbatch: error: Incompatible begin and deadline time specification\n");
    assertThat(controller().taken()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "--propagate=FOO; 1; Bad rlimit name: FOO",
        "--resv-ports=x; 1; Invalid numeric value \"x\" for --resv-port.",
        "--no-kill=foo; 255; Invalid --no-kill specification",
      })
  void valuesThatSlurmRefusesAreRefused(String option, int exitCode, String line) throws Exception {
    Captured sbatch = serve();
    assertThat(sbatch.run("sbatch", option, "--wrap=true")).isEqualTo(exitCode);
    assertThat(sbatch.err()).startsWith("sbatch: error: " + line + "\n");
    assertThat(controller().taken()).isEmpty();
  }
}
