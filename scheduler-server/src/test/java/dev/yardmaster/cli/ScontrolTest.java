package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.model.SlurmError;
import java.io.IOException;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ScontrolTest extends CommandTestBase {
  @Test
  void showJob() throws IOException {
    fill();
    Captured scontrol = serve();
    assertThat(scontrol.run("scontrol", "-d", "show", "job", "2")).isZero();
    assertThat(scontrol.out())
        .isEqualTo(
            """
            JobId=2 JobName=gpus
               SLUID=s1RDM8KJT9G002
               UserId=alice(1000) GroupId=alice(1000) MCS_label=N/A
               Priority=1106 Nice=0 Account=lab QOS=normal
               JobState=RUNNING Reason=None Dependency=(null)
               Requeue=1 Restarts=0 BatchFlag=1 Reboot=0 ExitCode=0:0
               DerivedExitCode=0:0
               RunTime=00:01:00 TimeLimit=00:30:00 TimeMin=N/A
               SubmitTime=2026-11-29T12:00:00 EligibleTime=2026-11-29T12:00:00
               AccrueTime=2026-11-29T12:00:00
               StartTime=2026-11-29T12:00:00 EndTime=2026-11-29T12:30:00 Deadline=N/A
               SuspendTime=None SecsPreSuspend=0 LastSchedEval=2026-11-29T12:00:00 Scheduler=Main
               Partition=main AllocNode:Sid=vm:0
               ReqNodeList=(null) ExcNodeList=(null)
               NodeList=n4
               BatchHost=n4
               NumNodes=1 NumCPUs=1 NumTasks=1 CPUs/Task=1 ReqB:S:C:T=0:0:*:*
               ReqTRES=cpu=1,mem=1000M,node=1,billing=1,gres/gpu=2
               AllocTRES=cpu=1,mem=1000M,node=1,billing=1,gres/gpu=2
               Socks/Node=* NtasksPerN:B:S:C=0:0:*:* CoreSpec=*
               JOB_GRES=gpu:h100:2
                 Nodes=n4 CPU_IDs=0 Mem=1000 GRES=gpu:h100:2(IDX:0-1)
               MinCPUsNode=1 MinMemoryCPU=1000M MinTmpDiskNode=0
               Features=(null) DelayBoot=00:00:00
               OverSubscribe=NO Exclusive=NO Contiguous=0 Licenses=(null) LicensesAlloc=(null) Network=(null)
               Command=(null)
               SubmitLine=sbatch
               WorkDir=/
               StdErr=
               StdIn=/dev/null
               StdOut=//slurm-2.out
               TresPerNode=gres/gpu:2

            """);
  }

  @Test
  void aWaitingJobTellsItsPlan() throws IOException {
    fill();
    Captured scontrol = serve();
    scontrol.run("scontrol", "-o", "show", "job", "3");
    assertThat(scontrol.out().lines()).hasSize(1);
    assertThat(scontrol.out())
        .contains("JobState=PENDING Reason=Resources ")
        .contains(" StartTime=2026-11-29T13:30:00 EndTime=2026-11-29T23:30:00 ")
        .contains(" NodeList= SchedNodeList=n[1-4] ")
        .contains(" NumNodes=4-4 ");
    scontrol.run("scontrol", "show", "job", "6");
    assertThat(scontrol.out())
        .contains("JobId=6 ArrayJobId=6 ArrayTaskId=2-5%2 ArrayTaskThrottle=2 JobName=arr\n")
        .contains("JobId=7 ArrayJobId=6 ArrayTaskId=0 ArrayTaskThrottle=2 JobName=arr\n");
  }

  @Test
  void showNode() throws IOException {
    fill();
    Captured scontrol = serve();
    scontrol.run("scontrol", "-d", "show", "node", "n4");
    assertThat(scontrol.out())
        .startsWith(
            """
            NodeName=n4 Arch=x86_64 CoresPerSocket=8\s
               CPUAlloc=1 CPUEfctv=16 CPUTot=16 CPULoad=0.00
               AvailableFeatures=(null)
               ActiveFeatures=(null)
               Gres=gpu:h100:8
               GresDrain=N/A
               GresUsed=gpu:h100:2(IDX:0-1)
            """)
        .contains("\n   State=MIXED+PLANNED ThreadsPerCore=1 ")
        .contains("\n   CfgTRES=cpu=16,mem=62.50G,billing=16,gres/gpu=8\n")
        .contains("\n   AllocTRES=cpu=1,mem=1000M,gres/gpu=2\n");
    assertThat(scontrol.run("scontrol", "show", "node", "n[1-2],n99")).isEqualTo(1);
    assertThat(scontrol.out()).contains("NodeName=n1 ", "NodeName=n2 ", "Node n99 not found\n");
  }

  @Test
  void showPartition() throws IOException {
    Captured scontrol = serve();
    scontrol.run("scontrol", "-o", "show", "partition", "slow");
    assertThat(scontrol.out())
        .isEqualTo(
            "PartitionName=slow AllowGroups=ALL AllowAccounts=ALL AllowQos=ALL AllocNodes=ALL"
                + " Default=NO QoS=N/A DefaultTime=00:10:00 DisableRootJobs=NO Exclusive=NO"
                + " GraceTime=0 Hidden=NO MaxNodes=UNLIMITED MaxTime=1-00:00:00 MinNodes=0 LLN=NO"
                + " MaxCPUsPerNode=UNLIMITED MaxCPUsPerSocket=UNLIMITED Nodes=n5"
                + " PriorityJobFactor=1 PriorityTier=3 RootOnly=NO ReqResv=NO OverSubscribe=NO"
                + " OverTimeLimit=NONE PreemptMode=OFF State=UP TotalCPUs=16 TotalNodes=1"
                + " SelectTypeParameters=NONE JobDefaults=(null) DefMemPerNode=UNLIMITED"
                + " MaxMemPerNode=UNLIMITED TRES=cpu=16,mem=62.50G,node=1,billing=16,gres/gpu=8\n");
  }

  @Test
  void showReservation() throws IOException {
    lab.reserve("maint", lab.now().plusSeconds(1800), 60, "n[1-2]", "root", "MAINT");
    Captured scontrol = serve();
    scontrol.run("scontrol", "show", "res");
    assertThat(scontrol.out())
        .isEqualTo(
            """
            ReservationName=maint StartTime=2026-11-29T12:30:00 EndTime=2026-11-29T13:30:00 Duration=01:00:00
               Nodes=n[1-2] NodeCnt=2 CoreCnt=32 Features=(null) PartitionName=(null) Flags=MAINT
               TRES=cpu=32
               AllowedPartitions=(null) QOS=(null)
               Users=root Groups=(null) Accounts=(null) Licenses=(null) State=INACTIVE BurstBuffer=(null)
               MaxStartDelay=(null)

            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "show hostnames n[1-3,007];n1\\nn2\\nn3\\nn007\\n",
        "show hostlist n1,n2,n3,n7;n[1-3,7]\\n",
        "show hostlist n5,n3,n1,n2,n10;n[5,3,1-2,10]\\n",
        "show hostlistsorted n5,n3,n10,n1;n[1,3,5,10]\\n",
        "show hostnamestr n[1-3];n1,n2,n3\\n",
        "version;slurm 26.11.0-0rc1\\n",
      })
  void worksWithoutAController(String line, String expected) throws IOException {
    Captured scontrol = serverDown();
    assertThat(scontrol.run("scontrol", line.split(" "))).isZero();
    assertThat(scontrol.out()).isEqualTo(expected.replace("\\n", "\n"));
  }

  @Test
  void hostNamesOfTheJobAroundAndOfStandardInput() throws IOException {
    Captured scontrol = serverDown().set("SLURM_JOB_NODELIST", "node[009-011]");
    scontrol.run("scontrol", "show", "hostnames");
    assertThat(scontrol.out()).isEqualTo("node009\nnode010\nnode011\n");
    scontrol.input("a1\na2\n");
    scontrol.run("scontrol", "show", "hostlist", "-");
    assertThat(scontrol.out()).isEqualTo("a[1-2]\n");
    assertThat(scontrol.run("scontrol", "show", "hostnames", "node[1-3")).isZero();
    assertThat(scontrol.err()).isEqualTo("Invalid hostlist: node[1-3\n");
  }

  @Test
  void aDebugFlagThatThereIsNotIsNamed() throws IOException {
    Captured scontrol = serve();
    assertThat(scontrol.run("scontrol", "setdebugflags", "+backfill", "+SelectType")).isZero();
    assertThat(scontrol.run("scontrol", "setdebugflags", "+foo")).isEqualTo(1);
    assertThat(scontrol.err())
        .isEqualTo("scontrol: error: Invalid DebugFlag: foo\ninvalid debug flag: +foo\n");
  }

  @Test
  void pingTellsWhoIsUp() throws IOException {
    Captured scontrol = serve();
    assertThat(scontrol.run("scontrol", "ping")).isZero();
    assertThat(scontrol.out()).isEqualTo("Slurmctld(primary) at vm is UP\n");
    stop();
    assertThat(scontrol.run("scontrol", "ping")).isEqualTo(1);
    assertThat(scontrol.out())
        .isEqualTo(
            """
            Slurmctld(primary) at vm is DOWN
            *****************************************
            ** RESTORE SLURMCTLD DAEMON TO SERVICE **
            *****************************************
            """);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "show job 99999;slurm_load_jobs error: Invalid job id specified",
        "show job nosuch;scontrol_print_job error: Invalid job id specified",
        "show partition nosuch;Partition nosuch not found",
        "show reservation nosuch;Reservation nosuch not found",
        "foo;invalid keyword: foo",
        "show;too few arguments for keyword:show",
        "show foo;invalid entity:foo for keyword:show",
        "update;too few arguments for update keyword",
        "hold;too few arguments for keyword:hold",
        "update node=n6 resumeafter=100;You can only specify a resume time when DOWNING or"
            + " DRAINING a node. Request denied",
        "update node=n6 weight=-1;scontrol: error: Invalid value weight=-1 for Weight",
        "update node=n6 state=drain;You must specify a reason when DOWNING or DRAINING a node."
            + " Request denied",
        "create starttime=now duration=60;scontrol: error: Invalid creation entity: starttime=now",
        "create reservation=b starttime=now nodes=n4 user=bob;scontrol: error: An end time or"
            + " duration must be given.  No reservation created.",
        "create reservation=b starttime=now duration=60 user=bob;scontrol: error: CoreCnt, Nodes,"
            + " NodeCnt, TRES or Watts must be specified.  No reservation created.",
        "create reservation=b starttime=now duration=60 nodes=n4;scontrol: error: Either"
            + " Users/Groups, AllowedPartitions, QOS and/or Accounts must be specified.  No"
            + " reservation created.",
        "create reservation=b duration=60 nodes=n4 user=bob;scontrol: error: A start time must be"
            + " given.  No reservation created.",
        "create res=b starttime=now duration=60 corecnt=4,4 user=bob;scontrol: error: Using a comma"
            + " separated array for CoreCnt is no longer valid.",
        "create reservation=b starttime=now duration=5 users=a nodecnt=1,1;scontrol: error: Using a"
            + " comma separated array for NodeCnt is no longer valid.",
        "update res=b nodecnt=2,1;scontrol: error: Using a comma separated array for NodeCnt is no"
            + " longer valid.",
        "update res=b corecnt=4,4;scontrol: error: Using a comma separated array for CoreCnt is no"
            + " longer valid.",
      })
  void errorsOfTheCommandItself(String line, String expected) throws IOException {
    Captured scontrol = serve();
    assertThat(scontrol.run("scontrol", line.split(" "))).isEqualTo(1);
    assertThat((scontrol.out() + scontrol.err()).strip()).isEqualTo(expected);
    assertThat(controller().taken()).isEmpty();
  }

  @Test
  void anUnknownStateTouchesNoNode() throws IOException {
    Captured scontrol = serve();
    assertThat(scontrol.run("scontrol", "update", "NodeName=n[1-3],n5", "State=RESUMEE"))
        .isEqualTo(1);
    assertThat(scontrol.err())
        .isEqualTo(
            """
            Invalid input: State=RESUMEE
            Request aborted
            Valid states are: NoResp DRAIN FAIL FUTURE RESUME POWER_DOWN POWER_UP UNDRAIN
            Not all states are valid given a node's prior state
            """);
    assertThat(controller().taken()).isEmpty();
    assertThat(scontrol.run("scontrol", "update", "partition=main", "state=foo")).isEqualTo(1);
    assertThat(scontrol.err())
        .isEqualTo(
            """
            scontrol: error: Invalid input: state=foo
            scontrol: error: Acceptable State values are UP, DOWN, DRAIN and INACTIVE
            """);
  }

  @Test
  void fieldsOfNodesMayBeShortened() throws IOException {
    Captured scontrol = serve();
    scontrol.run(
        "scontrol", "update", "node=n1", "W=3", "feat=a,b", "act=a", "g=gpu:1", "instancei=x");
    scontrol.run("scontrol", "update", "node=n1", "s=dra", "r=x", "resumea=60", "co=y", "e=z");
    assertThat(scontrol.run("scontrol", "update", "node=n1", "inst=x")).isEqualTo(1);
    assertThat(scontrol.err())
        .isEqualTo("Update of this parameter is not supported: inst=x\nRequest aborted\n");
    List<Command> commands = controller().taken();
    assertThat(commands).hasSize(2);
    assertThat(((Command.UpdateNodes) commands.getFirst()).fields())
        .isEqualTo(
            Map.of(
                "weight", "3",
                "availablefeatures", "a,b",
                "activefeatures", "a",
                "gres", "gpu:1",
                "instanceid", "x"));
    assertThat(((Command.UpdateNodes) commands.get(1)).fields())
        .isEqualTo(
            Map.of(
                "state", "DRAIN",
                "reason", "x",
                "resumeafter", "60",
                "comment", "y",
                "extra", "z"));
  }

  @Test
  void updatesAreSentAsWritten() throws IOException {
    Captured scontrol = serve();
    scontrol.run("scontrol", "update", "NodeName=n[1-2]", "State=DRAIN", "Reason=fan | a=b");
    scontrol.run("scontrol", "update", "jobid=7,8_[1-2]", "TimeLimit=2-12", "Comment=x=y z");
    scontrol.run("scontrol", "update", "partition=main", "state=down");
    List<Command> commands = controller().taken();
    assertThat(commands.get(0))
        .isInstanceOfSatisfying(
            Command.UpdateNodes.class,
            c -> {
              assertThat(c.nodes()).isEqualTo("n[1-2]");
              assertThat(c.fields())
                  .containsEntry("reason", "fan | a=b")
                  .containsEntry("state", "DRAIN");
            });
    assertThat(commands.get(1))
        .isInstanceOfSatisfying(
            Command.UpdateJob.class,
            c -> {
              assertThat(c.jobs()).isEqualTo("7");
              assertThat(c.fields())
                  .containsEntry("timelimit", "2-12")
                  .containsEntry("comment", "x=y z");
            });
    assertThat(commands.get(2))
        .isInstanceOfSatisfying(
            Command.UpdateJob.class, c -> assertThat(c.jobs()).isEqualTo("8_[1-2]"));
    assertThat(commands.get(3)).isInstanceOf(Command.UpdatePartition.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "reboot n[1-2];n[1-2];{state=REBOOT}",
        "reb ASAP nextstate=DOWN reason=bios n3;n3;"
            + "{nextstate=DOWN, reason=bios, state=REBOOT_ASAP}",
        "reboot_nodes asap ALL;ALL;{state=REBOOT_ASAP}",
        "cancel_reboot n1 n4;n1,n4;{state=CANCEL_REBOOT}"
      })
  void rebootsAreUpdatesOfNodes(String line, String nodes, String fields) throws IOException {
    Captured scontrol = serve();
    scontrol.run("scontrol", line.split(" "));
    assertThat(controller().taken())
        .singleElement()
        .isInstanceOfSatisfying(
            Command.UpdateNodes.class,
            c -> {
              assertThat(c.nodes()).isEqualTo(nodes);
              assertThat(c.fields()).hasToString(fields);
            });
  }

  @Test
  void aRebootNamesItsNodes() throws IOException {
    Captured scontrol = serve();
    assertThat(scontrol.run("scontrol", "reboot", "ASAP", "reason=bios")).isEqualTo(1);
    assertThat(scontrol.err()).startsWith("Missing node list. Specify ALL|<NodeList>");
    assertThat(controller().taken()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "update job=5 nice=1;Invalid job id specified for job 5",
        "requeue 5;Invalid job id specified for job 5",
        "hold 5;Invalid job id specified for job 5\\nslurm_suspend error:Invalid job id specified",
        "release 5;Invalid job id specified for job 5\\nslurm_suspend error:Invalid job id"
            + " specified",
        "update node=n1 state=resume;slurm_update error: Invalid job id specified",
        "update partition=main state=up;slurm_update error: Invalid job id specified",
        "delete reservation=r;delete_reservation reservation=r: Invalid job id specified",
        "reconfigure;slurm_reconfigure error:Invalid job id specified",
        "create reservation=r starttime=now duration=1 nodes=n1 user=root;Error creating the"
            + " reservation: Invalid job id specified",
      })
  void refusalsHaveEachCommandsOwnWords(String line, String expected) throws IOException {
    Captured scontrol = serve();
    controller().answer(c -> new Reply.Refused(SlurmError.INVALID_JOB_ID, null));
    assertThat(scontrol.run("scontrol", line.split(" "))).isEqualTo(1);
    assertThat(scontrol.err().strip()).isEqualTo(expected.replace("\\n", "\n"));
    assertThat(scontrol.out()).isEmpty();
  }

  @Test
  void aPersonIsToldMoreThanAScript() throws IOException {
    Captured scontrol = serve();
    controller()
        .answer(
            c -> new Reply.Refused(SlurmError.INVALID_TIME_LIMIT, "\njunk is no time; write 1:00"));
    scontrol.run("scontrol", "update", "job=5", "timelimit=1");
    assertThat(scontrol.err().lines()).hasSize(1);
    scontrol.terminal().run("scontrol", "update", "job=5", "timelimit=1");
    assertThat(scontrol.err().lines()).last().isEqualTo("junk is no time; write 1:00");
  }

  @Test
  void reservationsAreCreatedAndNamed() throws IOException {
    Captured scontrol = serve();
    assertThat(
            scontrol.run(
                "scontrol",
                "create",
                "reservation=r1",
                "starttime=now+4hours",
                "Duration=14-00:00:00",
                "nodes=n[1-2]",
                "users=root,daemon"))
        .isZero();
    assertThat(scontrol.out()).isEqualTo("Reservation created: r1\n");
    assertThat(scontrol.run("scontrol", "update", "reservation=r1", "skip")).isZero();
    assertThat(scontrol.out()).isEqualTo("Reservation updated.\n");
    assertThat(controller().taken().getFirst())
        .isInstanceOfSatisfying(
            Command.SaveReservation.class,
            c -> {
              assertThat(c.create()).isTrue();
              assertThat(c.fields()).containsEntry("duration", "14-00:00:00");
            });
  }

  @Test
  void theBareWordReservationTakesNoNameAway() throws IOException {
    for (String[] words :
        List.of(
            new String[] {"reservation", "reservationname=r1", "nodes=n1"},
            new String[] {"reservationname=r1", "reservation", "nodes=n1"},
            new String[] {"reservation", "nodes=n1", "Reservation=r1"})) {
      Captured scontrol = serveAgain();
      List<String> line = new ArrayList<>(List.of("create"));
      line.addAll(List.of(words));
      line.addAll(List.of("starttime=now", "duration=5", "users=root"));
      assertThat(scontrol.run("scontrol", line.toArray(String[]::new))).isZero();
      assertThat(scontrol.out()).isEqualTo("Reservation created: r1\n");
      assertThat(controller().taken().getLast())
          .isInstanceOfSatisfying(
              Command.SaveReservation.class,
              c -> assertThat(c.fields()).containsEntry("reservationname", "r1"));
    }
  }

  @Test
  void writesTheScriptOfAJob() throws IOException {
    fill();
    Captured scontrol = serve();
    assertThat(scontrol.run("scontrol", "write", "batch_script", "1", "-")).isZero();
    assertThat(scontrol.out()).isEqualTo("#!/bin/sh\ntrue\n");
    assertThat(scontrol.run("scontrol", "write", "batch_script", "1")).isZero();
    assertThat(Files.readString(folder.resolve("slurm-1.sh"))).isEqualTo("#!/bin/sh\ntrue\n");
    assertThat(Files.isExecutable(folder.resolve("slurm-1.sh"))).isTrue();
  }

  @Test
  void anUpdateThatSaysNothingIsAnError() throws IOException {
    Captured scontrol = serve();
    assertThat(scontrol.run("scontrol", "update", "job")).isEqualTo(1);
    assertThat(scontrol.err()).isEqualTo("Invalid input: job\nRequest aborted\n");
    for (String entity : List.of("job=1", "node=n1", "partition=main")) {
      assertThat(scontrol.run("scontrol", "update", entity)).isEqualTo(1);
      assertThat(scontrol.err())
          .isEqualTo(
              (entity.startsWith("partition") ? "scontrol: error: " : "")
                  + "No changes specified\n");
    }
    assertThat(controller().taken()).isEmpty();
  }

  @Test
  void aFieldWithoutAnEqualsSignTakesTheNextWord() throws IOException {
    Captured scontrol = serve();
    assertThat(scontrol.run("scontrol", "update", "job", "3", "TimeLimit", "5", "nice")).isZero();
    assertThat(controller().taken())
        .singleElement()
        .isInstanceOfSatisfying(
            Command.UpdateJob.class,
            c -> {
              assertThat(c.jobs()).isEqualTo("3");
              assertThat(c.fields()).isEqualTo(Map.of("timelimit", "5", "nice", ""));
            });
  }

  @Test
  void aPersonWhoMistypesIsToldWhatWasMeantAndNothingTwice() throws IOException {
    Captured scontrol = serve().terminal();
    scontrol.run("scontrol", "shwo", "job");
    assertThat(scontrol.err()).startsWith("invalid keyword: shwo\nis 'show' meant?");
    scontrol.run("scontrol", "show", "nod");
    assertThat(scontrol.err()).isEmpty();
    scontrol.run("scontrol", "show", "jbo");
    assertThat(scontrol.err()).isEqualTo("invalid entity:jbo for keyword:show\nis 'job' meant?\n");
    scontrol.run("scontrol", "show", "everything");
    assertThat(scontrol.err()).contains("\nthere are aliases, config");
    controller()
        .answer(
            c ->
                new Reply.Refused(SlurmError.COMMAND_VALUE, "Not supported: x=1\nRequest aborted"));
    scontrol.run("scontrol", "update", "job=1", "nice=1");
    assertThat(scontrol.err()).isEqualTo("Not supported: x=1\nRequest aborted\n");
  }

  @Test
  void anotherClusterIsRefused() throws IOException {
    Captured scontrol = serve();
    for (String line : List.of("hold 1", "show job", "update job=1 nice=1", "shutdown")) {
      List<String> words = new ArrayList<>(List.of("-M", "other"));
      words.addAll(List.of(line.split(" ")));
      assertThat(scontrol.run("scontrol", words.toArray(String[]::new))).isEqualTo(1);
      assertThat(scontrol.err()).contains("scontrol: error: 'other' can't be reached now");
    }
    assertThat(controller().taken()).isEmpty();
  }
}
