package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.Arrays;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What scontrol(1) says of what it does not know, and the exit codes that go with it. */
class ScontrolErrorsTest extends CommandTestBase {
  private Captured command = new Captured();

  @BeforeEach
  void prepare() throws IOException {
    fill();
    command = serve();
  }

  private int run(String line) {
    String[] words = line.split(" ");
    return command.run("scontrol", Arrays.copyOf(words, words.length));
  }

  private String said() {
    return (command.out() + command.err()).lines().findFirst().orElse("");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "show job 99999; 1; slurm_load_jobs error: Invalid job id specified",
        "show job 1_5; 1; Job 1_5 not found",
        "show job 1+5; 1; Job 1+5 not found",
        "show job 1.0; 1; scontrol_print_job error: Invalid job id specified",
        "show job abc; 1; scontrol_print_job error: Invalid job id specified",
        "show job 1 2; 1; too many arguments for keyword:show",
        "show node nosuch; 1; Node nosuch not found",
        "show partition nosuch; 1; Partition nosuch not found",
        "show p nosuch; 1; invalid entity:p for keyword:show",
        "show res nosuch; 1; Reservation nosuch not found",
        "show step 99999; 1; 'scontrol: error: scontrol_print_step: slurm_get_job_steps(99999)"
            + " failed: Invalid job id specified'",
        "show step nosuch; 1; 'scontrol: error: scontrol_print_step: slurm_get_job_steps(nosuch)"
            + " failed: JobID can not be zero'",
        "show step 1.7; 1; Job step 1.7 not found",
        "show s 1; 1; invalid entity:s for keyword:show",
        "show daemons x; 1; too many arguments for keyword:show",
        "show hostnames; 0; scontrol: error: host list is empty",
        "show hostlist; 1; invalid encode argument",
        "show federation; 0; ''",
        "show burstbuffer nosuch; 0; ''",
        "show assoc_mgr nosuch; 0; No value given for option nosuch",
        "show nosuch; 1; invalid entity:nosuch for keyword:show",
        "create reservation=b starttime=now duration=9 nodes=n4 user=bob flags=PART_NODES; 1;"
            + " scontrol: error: PART_NODES flag requires specifying a Partition and ALL nodes.  No"
            + " reservation created.",
        "create reservation=b starttime=now duration=9 nodes=n4 user=bob flags=FORCE_START; 1;"
            + " scontrol: error: FORCE_START flag requires a reoccuring reservation. No reservation"
            + " created.",
        "nosuch; 1; invalid keyword: nosuch",
        "delete; 1; too few arguments for delete keyword",
        "delete partition; 1; 'scontrol: error: Proper format is ''delete <ENTITY>=<ID>'' or"
            + " ''delete <ENTITY> <ID>'''",
        "ping x; 1; too many arguments for keyword:ping",
        "update job=1 nice=99999999999; 1; scontrol: error: Nice value out of range"
            + " (+/- 2147483645). Value ignored",
        "update job=1 numcpus=0; 1; scontrol: error: Invalid NumCPUs value: 0",
        "update job=1 numcpus=4-2; 1; scontrol: error: Invalid NumCPUs value: 4-2",
        "update job=1 numcpus=2-4; 0; ''",
        "update job=1 switches=x; 0; ''",
        "update job=1 sitefactor=x; 0; ''",
        "update job=1 requeue=2; 0; ''",
        "update partition=main overtimelimit=x; 1; 'scontrol: error: Invalid OverTimeLimit value:"
            + " x'",
        "update partition=main cpubind=x; 1; scontrol: error: Invalid input cpubind=x",
        "--uid=nosuch show job; 0; scontrol: error: --uid=\"nosuch\" invalid",
        "pidinfo; 1; missing argument for keyword:pidinfo",
        "power up; 1; too few arguments for keyword:power",
        "write batch_script; 0; ''",
        "version x; 1; slurm 26.11.0-0rc1",
        "details; 0; ''",
        "oneliner x; 1; too many arguments for keyword:oneliner",
        "completing; 0; ''",
        "errnumstr 2017; 0; Invalid job id specified",
        "errnumstr nosuch; 1; numeric arguments required for keyword:errnumstr",
        "wait_job 99999; 1; scontrol: Problem running job 99999",
        "requeue; 1; too few arguments for keyword:requeue",
        "requeue Incomplete; 0; ''",
        "update node=n1 cpubind=cores,v; 0; ''",
        "update node=n1 certtoken=x; 0; ''",
        "wait_job 1; 0; ''",
        "wait_job abc; 1; Invalid job_id abc",
        "setdebug nosuch; 1; invalid debug level: nosuch",
        "setdebug info; 0; ''",
        "setdebug info x; 1; Invalid option: info",
        "setdebug 12; 1; invalid debug level: 12",
        "update job=4 Foo=Bar; 1; 'Update of this parameter is not supported: Foo=Bar'",
        "update job=4 priority=99999999999; 1; 'scontrol: error: Invalid Priority value:"
            + " 99999999999'",
        "update job=4 reqnodes=x; 0; 'scontrol: error: \"x\" is not a valid node count'",
        "update job=4 numnodes=2-1; 0; 'scontrol: error: Maximum node count 1 is less than minimum"
            + " node count 2'",
        "update node=n1 Weight=x; 1; 'scontrol: error: Invalid value Weight=x for Weight'",
        "update partition=main State=x; 1; 'scontrol: error: Invalid input: State=x'",
        "update job=4 userid=0; 1; No changes specified",
        "update job=4 userid=nobody-knows-me; 1; 'Invalid UserID: nobody-knows-me'",
        "update job=4 mailtype=x; 1; 'Invalid MailType: x'",
        "update SlurmctldDebug=12; 1; invalid debug level: 12",
        "update stepid=x timelimit=1; 1; 'Invalid StepID parameter: stepid=x'",
        "update stepid=1.0; 1; No changes specified",
        "update stepid=1.0 x=1; 1; 'Update of this parameter is not supported: x=1'",
        "update stepid=1.0 timelimit=x; 1; 'scontrol: error: Invalid TimeLimit value'",
        "create nodename=x1; 1; 'scontrol: error: Only State=FUTURE, CLOUD, or EXTERNAL allowed for"
            + " nodes created by scontrol'",
        "create nodename=n1 state=cloud; 1; 'scontrol: error: Node already exists in the node table"
            + " (n1)'",
        "create nodename=x1 state=future cpus=2; 1; 'scontrol: error: Unable to add node, node"
            + " table is full (x1)'",
        "create nodename=x1 foo=1 state=cloud; 1; 'scontrol: error: Failed to parse nodeline"
            + " ''nodename=x1 foo=1 state=cloud'''",
        "delete nodename=nosuch; 1; 'scontrol: error: failed to delete nodes nosuch'",
        "schedloglevel nosuch; 1; invalid schedlog level: nosuch",
        "reboot; 1; Missing node list. Specify ALL|<NodeList>",
        "cancel_reboot; 1; missing argument for keyword:cancel_reboot",
        "shutdown nosuch; 1; invalid shutdown argument:nosuch",
        "shutdown slurmctld x; 1; too many arguments for keyword:shutdown",
        "takeover 1 2; 1; takeover: too many arguments",
        "takeover 1; 1; takeover: invalid backup controller index (1)",
        "takeover x; 1; takeover: invalid backup controller index (0)",
        "takeover; 1; slurm_takeover error: Unable to contact slurm controller (connect failure)",
        "write batch_script abc; 1; 'scontrol: fatal: Bad job/step specified: abc: JobID can not be"
            + " zero'"
      })
  void whatIsNotThereIsSaidInSlurmsWords(String line, int exit, String text) {
    assertThat(run(line)).isEqualTo(exit);
    assertThat(said()).isEqualTo(text);
  }

  @Test
  void settingsAreSentToTheController() {
    assertThat(run("setdebug 6")).isZero();
    assertThat(run("-- setdebugflags +backfill -steps")).isZero();
    assertThat(run("update suspendexcnodes+=n2 suspendexcparts=main")).isZero();
    assertThat(run("update step=1.0 time=5")).isZero();
    assertThat(controller().taken().toString())
        .contains(
            "slurmctlddebug=debug2",
            "debugflags=+backfill,-steps",
            "suspendexcnodes=+n2, suspendexcparts=main",
            "jobs=1.0, fields={stepid=1.0, timelimit=5}");
  }

  @Test
  void withoutACommandItIsAskedForOneAfterTheOther() {
    command.input(
        "oneliner\nshow nosuch\nshow partition main\n'errnumstr' \"2017\"\n!!\nquit\nx\n");
    assertThat(command.run("scontrol")).isEqualTo(1);
    assertThat(command.out())
        .contains("scontrol: PartitionName=main AllowGroups=ALL ")
        .endsWith(
            "scontrol: Invalid job id specified\nscontrol: Invalid job id specified\nscontrol: ");
    assertThat(command.err()).isEqualTo("invalid entity:nosuch for keyword:show\n");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "job=1 priority=abc; scontrol: error: Invalid Priority value: abc",
        "job=1 requeue=maybe; scontrol: error: Invalid Requeue value: maybe",
        "job=1 contiguous=maybe; scontrol: error: Invalid Contiguous value: maybe",
        "job=1 minmemorynode=abc; scontrol: error: Invalid MinMemoryNode value: abc",
        "job=1 timelimit=abc; scontrol: error: Invalid TimeLimit value",
        "job=1 starttime=nosuch; 'Invalid time specification (pos=0): nosuch'",
        "node=n1 weight=abc; scontrol: error: Invalid value weight=abc for Weight",
        "node=n1 cpubind=nosuch; scontrol: error: Invalid input cpubind=nosuch",
        "node=n1 cpubind=cores,sockets; scontrol: error: Invalid input cpubind=cores,sockets",
        "partition=main nosuch=1; 'scontrol: error: Update of this parameter is not supported:"
            + " nosuch=1'",
        "partition=main maxtime=abc; scontrol: error: Invalid input maxtime=abc",
        "partition=main maxnodes=abc; 'scontrol: error: Invalid numeric value \"abc\" for"
            + " MaxNodes.'",
        "partition=main hidden=maybe; scontrol: error: Invalid input: hidden=maybe",
        "partition=main prioritytier=abc; scontrol: error: Invalid PriorityTier value: abc",
        "partition=main oversubscribe=abc; scontrol: error: Invalid input: oversubscribe=abc",
        "res=late nosuch=1; scontrol: error: Unknown parameter nosuch=1.  No reservation update.",
        "res=late duration=abc; scontrol: error: Invalid duration duration=abc.  No reservation"
            + " update.",
        "res=late starttime=abc; 'Invalid time specification (pos=0): abc'",
        "res=late flags=abc; scontrol: error: Error parsing flags abc.  No reservation update.",
        "res=late users=nobody-knows-me; slurm_update error: Invalid user id"
      })
  void aWrongValueOfAnyFieldIsNamed(String change, String text) {
    assertThat(run("update " + change)).isEqualTo(1);
    assertThat(said()).isEqualTo(text);
  }
}
