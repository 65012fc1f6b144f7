package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.controller.accounts.AccountingEditor;
import dev.yardmaster.controller.accounts.Edit;
import dev.yardmaster.controller.accounts.EditFailure;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.SlurmError;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What sacctmgr and sshare print, and what they exit with, over a real connection. */
class SacctmgrTest extends CommandTestBase {
  private static final Identity ROOT = new Identity("root", 0, "root", 0);
  private Captured io = new Captured();

  @BeforeEach
  void begin() throws IOException {
    io = serve();
    controller().answer(this::change);
  }

  /** Does what the controller does with such a command. */
  private Reply change(Command command) {
    if (!(command instanceof Command.ChangeAccounting c)) {
      return new Reply.Done(List.of());
    }
    try {
      Edit edit = new AccountingEditor(controller().state(), true, ROOT).edit(c.words());
      if (!c.tryOut()) {
        controller()
            .happen(new Event.AccountingChanged(lab.now(), edit.change(), "root", "sacctmgr"));
      }
      return new Reply.Done(edit.lines());
    } catch (EditFailure e) {
      return new Reply.Refused(SlurmError.ACCOUNTING, String.join("\n", e.lines()));
    }
  }

  private void fill(String... lines) {
    for (String line : lines) {
      assertThat(io.run("sacctmgr", ("-i " + line).split(" "))).as(line).isZero();
    }
  }

  private String output(String command, String... arguments) {
    assertThat(io.run(command, arguments)).isZero();
    return io.out();
  }

  private void tree() {
    fill(
        "add qos high Priority=100 MaxTRESPU=gres/gpu=16,cpu=8 MaxWall=1:30:00 Flags=DenyOnLimit",
        "add account prod Organization=lab Description=prod Fairshare=60 GrpTRES=node=2",
        "add account train parent=prod Organization=lab Description=train Fairshare=parent",
        "add user alice account=train Fairshare=2",
        "add user bob account=train,prod Fairshare=1 MaxJobs=3",
        "modify account prod set qos+=high");
  }

  @Test
  void qosAreListedInTheOrderTheyWereAddedWithTheirLimits() {
    tree();
    assertThat(output("sacctmgr", "-nP", "show", "qos", "format=name,priority,maxtrespu,maxwall"))
        .isEqualTo("normal|0||\nhigh|100|cpu=8,gres/gpu=16|01:30:00\n");
  }

  @Test
  void theWholeIsWrittenToAFileAndReadFromIt() throws IOException {
    tree();
    assertThat(io.run("sacctmgr", "dump", "lab", "file=lab.cfg")).isZero();
    List<String> lines = Files.readAllLines(folder.resolve("lab.cfg"));
    List<String> said = lines.stream().filter(line -> !line.startsWith("#")).toList();
    assertThat(said)
        .startsWith("QOS - 'normal':Description='Normal QOS default'")
        .contains(
            "QOS - 'high':Description='high':Flags='DenyOnLimit'"
                + ":MaxTRESPerUser=cpu=8,gres/gpu=16:MaxWallDurationPerJob=90:Priority=100")
        .containsSequence(
            "Parent - 'prod'",
            "User - 'bob':DefaultAccount='train':Fairshare=1:MaxJobs=3",
            "Account - 'train':Description='train':Organization='lab':Fairshare=parent",
            "Parent - 'train'",
            "User - 'alice':DefaultAccount='train':Fairshare=2");
    assertThat(io.err().lines()).hasSameSizeAs(said).contains("sacctmgr: Parent - 'prod'");
    assertThat(output("sacctmgr", "-i", "load", "lab.cfg")).isEqualTo(" Nothing new added.\n");
    lines.replaceAll(line -> line.replace("Fairshare=2", "Fairshare=7"));
    lines.add("User - 'carol':Fairshare=5");
    Files.write(folder.resolve("lab.cfg"), lines);
    assertThat(output("sacctmgr", "load", "lab.cfg"))
        .startsWith(
            """
              modify user where name=alice account=train set defaultaccount=train fairshare=7
              add user carol account=train fairshare=5
            """)
        .endsWith(" Changes Discarded\n");
    assertThat(io.run("sacctmgr", "-i", "load", "file=lab.cfg")).as(io.err()).isZero();
    assertThat(output("sacctmgr", "-nP", "show", "assoc", "format=user,share", "account=train"))
        .contains("alice|7\n", "carol|5\n");
  }

  /** A cluster of which nothing is known becomes what the file says. */
  @Test
  void anEmptyClusterIsFilledFromAFile() throws IOException {
    tree();
    assertThat(io.run("sacctmgr", "dump", "lab", "file=lab.cfg")).isZero();
    String before = io.err();
    io = serveAgain();
    controller().answer(this::change);
    assertThat(io.run("sacctmgr", "-i", "load", "lab.cfg")).as(io.err()).isZero();
    assertThat(io.run("sacctmgr", "dump", "lab", "file=again.cfg")).isZero();
    assertThat(io.err()).isEqualTo(before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "dump; ' We need a cluster to dump.'",
        "dump other; ' Cluster other not found'",
        "dump lab x=1; ' Unknown option: x=1'",
        "load; ' No filename given, specify one with file='''''",
        "load nosuch; ' Unable to read \"nosuch\": No such file or directory'",
        "-r load x; 'Can''t run this command in readonly mode.'",
      })
  void whatCannotBeWrittenOrReadIsSaidInSlurmsWords(String line, String said) {
    assertThat(io.run("sacctmgr", line.split(" "))).isEqualTo(1);
    assertThat(io.err()).isEqualTo(said + "\n");
  }

  @Test
  void associationsAreListedAsATree() {
    tree();
    assertThat(
            output(
                "sacctmgr",
                "-nP",
                "show",
                "assoc",
                "tree",
                "format=account,user,share,qos,maxjobs"))
        .isEqualTo(
            """
            root||1|normal|
             root|root|1|normal|
             prod||60|high,normal|
              prod|bob|1|high,normal|3
              train||parent|high,normal|
               train|alice|2|high,normal|
               train|bob|1|high,normal|3
            """);
  }

  @Test
  void theStandardTablesHaveSlurmsHeads() {
    tree();
    assertThat(output("sacctmgr", "show", "account").lines().limit(3))
        .containsExactly(
            "   Account                Descr                  Org ",
            "---------- -------------------- -------------------- ",
            "      prod                 prod                  lab ");
    assertThat(output("sacctmgr", "-P", "show", "problem").lines().findFirst())
        .contains("Cluster|Account|User|Problem");
    assertThat(output("sacctmgr", "-P", "show", "qos").lines().findFirst())
        .contains(
            "Name|Priority|GraceTime|Preempt|PreemptExemptTime|PreemptMode|Flags|UsageThres|"
                + "UsageFactor|GrpTRES|GrpTRESMins|GrpTRESRunMins|GrpJobs|GrpSubmit|GrpWall|"
                + "MaxTRES|MaxTRESPerNode|MaxTRESMins|MaxWall|MaxTRESPU|MaxJobsPU|MaxSubmitPU|"
                + "MaxTRESPA|MaxTRESRunMinsPA|MaxTRESRunMinsPU|MaxJobsPA|MaxSubmitPA|MinTRES");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      quoteCharacter = '`',
      value = {
        "add user zoe; Need name of account or wckey to add.",
        "add account train; Already existing account train on cluster lab",
        "modify user nosuch set fairshare=3; Nothing modified",
        "modify user alice set foo=1; Unknown option: foo=1",
        "modify qos normal set maxwall=foo; Bad MaxWall time format: maxwall=foo",
        "modify qos normal set flags=foo; Unknown QOS flag used in:",
        "modify user alice set qos=nosuch; You gave a bad qos 'nosuch'.",
        "modify user alice set grptres=cpu; sacctmgr: error: slurmdb_format_tres_str: no TRES id"
            + " found for cpu",
        "modify user alice set grptres=gres/fpga=1; sacctmgr: error: slurmdb_format_tres_str: no"
            + " TRES known by type gres/fpga",
        "modify user alice set RawUsage=0; An account must be specified",
        "modify account prod set parent=train; account train is below account prod",
        "delete user nosuch; Nothing deleted",
        "delete qos nosuch; Nothing deleted",
        "delete account root; You are not allowed to remove the root account.",
        "add qos normal; Nothing new added.",
        "frobnicate x; invalid keyword: frobnicate",
        "show foo; No valid entity in list command",
      })
  void whatCannotBeDoneIsSaidAndChangesNothing(String line, String says) {
    tree();
    var before = controller().state().accounting();
    int exit = io.run("sacctmgr", ("-i " + line).split(" "));
    assertThat(exit).isEqualTo(1);
    assertThat(io.out() + io.err()).contains(says);
    assertThat(controller().state().accounting()).isEqualTo(before);
  }

  @Test
  void aQosThatIsRemovedLeavesEveryListItWasIn() {
    tree();
    fill("modify qos normal set preempt=high", "modify user alice set defaultqos=high");
    fill("delete qos high");
    assertThat(output("sacctmgr", "-nP", "show", "assoc", "format=qos,defaultqos"))
        .doesNotContain("high");
    assertThat(output("sacctmgr", "-nP", "show", "qos", "format=name,preempt"))
        .isEqualTo("normal|\n");
  }

  @Test
  void anAccountGoesWithAllBelowIt() {
    tree();
    fill("delete account prod");
    assertThat(output("sacctmgr", "-nP", "show", "assoc", "format=account,user"))
        .isEqualTo("root|\nroot|root\n");
    assertThat(output("sacctmgr", "-nP", "show", "user")).contains("alice||None");
  }

  @Test
  void sshareShowsSharesAsTheyAreNow() {
    tree();
    assertThat(output("sshare", "-a", "-P", "-o", "account,user,rawshares,normshares"))
        .isEqualTo(
            """
            Account|User|RawShares|NormShares
            root|||0.000000
             root|root|1|0.016393
             prod||60|0.983607
              prod|bob|1|0.250000
              train||parent|0.983607
               train|alice|2|0.500000
               train|bob|1|0.250000
            """);
  }

  @Test
  void wckeysAreGivenToUsersListedAndTakenAgain() {
    fill(
        "add account train",
        "add user alice account=train",
        "add user alice wckey=Red,blue",
        "add user zoe wckey=red");
    assertThat(output("sacctmgr", "show", "wckey"))
        .isEqualTo(
            """
                 WCKey    Cluster       User\s
            ---------- ---------- ----------\s
                  blue        lab      alice\s
                   red        lab      alice\s
                   red        lab        zoe\s
            """);
    assertThat(output("sacctmgr", "-nP", "show", "user", "format=user,defaultw"))
        .isEqualTo("alice|red\nroot|\nzoe|red\n");
    assertThat(output("sacctmgr", "-i", "delete", "user", "where", "wckey=red"))
        .isEqualTo(
            """
             Deleting user WCKeys...
              C = lab        W = red                  U = alice   \s
              C = lab        W = red                  U = zoe     \s
            """);
    assertThat(output("sacctmgr", "-nP", "show", "wckey", "user=alice"))
        .isEqualTo("blue|lab|alice\n");
  }
}
