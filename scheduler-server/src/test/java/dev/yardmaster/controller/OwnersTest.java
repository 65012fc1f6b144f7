package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ALICE;
import static dev.yardmaster.controller.TestCluster.BOB;
import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.SlurmError;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which account and QOS a job is charged to, when it names them and when it does not. */
class OwnersTest {
  private static Bench with(String enforced, String... edits) {
    Bench bench =
        Bench.ready(
            Map.of(
                "AccountingStorageEnforce",
                enforced,
                "AccountingStorageType",
                "accounting_storage/slurmdbd"));
    for (String line :
        List.of(
            "add account lab",
            "add account field",
            "add user alice account=lab,field defaultaccount=lab",
            "add qos short",
            "add qos long")) {
      edit(bench, line);
    }
    for (String line : edits) {
      edit(bench, line);
    }
    return bench;
  }

  private static void edit(Bench bench, String line) {
    Reply reply = bench.handle(new Command.ChangeAccounting(ROOT, List.of(line.split(" ")), false));
    assertThat(reply).as(line).isNotInstanceOf(Reply.Refused.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // what is set | asked for | the QOS it gets
        "modify account root set qos=normal,short,long | qos=long | long",
        "modify account root set qos=normal,short,long | '' | normal",
        "modify account root set qos=normal,short defaultqos=short | '' | short",
        "modify account root set qos=normal,short defaultqos=short | qos=normal | normal",
        "modify account lab set qos=short,long defaultqos=long | '' | long",
        "modify user alice set qos=short | '' | short",
        "modify account lab set qos=short | account=field | normal",
      })
  void theQosIsTheOneAskedForElseTheDefaultOfTheAssociationElseThatOfTheCluster(
      String edit, String asked, String qos) {
    Bench bench = with("associations,limits,qos", edit);
    int id = asked.isEmpty() ? bench.submit() : bench.submit(asked);
    assertThat(bench.job(id).owner().qos()).isEqualTo(qos);
  }

  @Test
  void aJobThatLeavesItsQosOutIsHeldToTheLimitsOfTheOneItGets() {
    Bench bench =
        with(
            "associations,limits,qos",
            "modify account root set qos=short",
            "modify qos short set MaxJobsPerUser=2");
    List<Integer> ids = List.of(bench.submit(), bench.submit(), bench.submit(), bench.submit());
    bench.schedule();
    assertThat(ids)
        .extracting(id -> bench.job(id).state().code() + " " + bench.job(id).reason().text())
        .containsExactly(
            "R None", "R None", "PD QOSMaxJobsPerUserLimit", "PD QOSMaxJobsPerUserLimit");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "modify account root set qos=short,long | '' | INVALID_QOS",
        "modify account root set qos=short,long | qos=normal | INVALID_QOS",
        "modify account root set qos=short,long | qos=nosuch | INVALID_QOS",
        "modify account root set qos=short,long | account=nosuch | INVALID_ACCOUNT",
      })
  void whereAQosIsAskedForAJobThatEndsWithNoneIsRefused(
      String edit, String asked, SlurmError error) {
    Bench bench = with("associations,limits,qos", edit);
    String[] options = asked.isEmpty() ? new String[0] : new String[] {asked};
    Reply reply = bench.handle(new Command.Submit(ALICE, TestCluster.submission(options)));
    assertThat(Bench.error(reply)).isEqualTo(error);
  }

  @ParameterizedTest
  @CsvSource({
    "associations,INVALID_ACCOUNT",
    "limits,INVALID_ACCOUNT",
    "qos,INVALID_ACCOUNT",
    "none,",
  })
  void aUserWithoutAnAssociationIsRefusedWhereOneIsAskedFor(String enforced, SlurmError error) {
    Bench bench = with(enforced);
    Reply reply = bench.handle(new Command.Submit(BOB, TestCluster.submission()));
    if (error == null) {
      assertThat(reply).isInstanceOf(Reply.Submitted.class);
    } else {
      assertThat(Bench.error(reply)).isEqualTo(error);
    }
  }

  @Test
  void anUpdateOfAccountOrQosIsCheckedLikeASubmission() {
    Bench bench = with("associations,limits,qos", "modify account root set qos=normal,short");
    int id = bench.submit("hold");
    assertThat(Bench.error(bench.update(ALICE, id, "qos=long"))).isEqualTo(SlurmError.INVALID_QOS);
    assertThat(Bench.error(bench.update(ALICE, id, "account=nosuch")))
        .isEqualTo(SlurmError.INVALID_ACCOUNT);
    assertThat(bench.job(id).owner().qos()).isEqualTo("normal");
    bench.update(ALICE, id, "qos=short");
    assertThat(bench.job(id).owner().qos()).isEqualTo("short");
  }
}
