package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ALICE;
import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.SlurmError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which workload characterization key a job gets, and which are refused. */
class WorkloadKeysTest {
  private static Bench with(String track, String enforced, String... edits) {
    Map<String, String> settings = new HashMap<>();
    settings.put("TrackWCKey", track);
    settings.put("AccountingStorageType", "accounting_storage/slurmdbd");
    settings.put("AccountingStorageEnforce", enforced);
    Bench bench = Bench.ready(settings);
    edit(bench, "add account lab");
    edit(bench, "add user alice account=lab");
    for (String line : edits) {
      edit(bench, line);
    }
    return bench;
  }

  private static Reply edit(Bench bench, String line) {
    Reply reply = bench.handle(new Command.ChangeAccounting(ROOT, List.of(line.split(" ")), false));
    assertThat(reply).as(line).isNotInstanceOf(Reply.Refused.class);
    return reply;
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        // TrackWCKey | enforced | the keys of the user | asked for | the key it gets
        "no  | associations        | wckey=apex,base                   | ''         | ''",
        "no  | associations        | wckey=apex,base                   | wckey=Any  | any",
        "yes | associations        | wckey=apex,base                   | ''         | *apex",
        "yes | associations        | wckey=apex,base defaultwckey=base | ''         | *base",
        "yes | associations        | wckey=apex                        | wckey=any  | any",
        "no  | associations,wckeys | wckey=apex,base                   | ''         | *apex",
        "no  | all                 | wckey=apex,base                   | wckey=BASE | base",
      })
  void aJobGetsTheKeyItNamesElseTheDefaultOfItsUserWhereKeysAreTracked(
      String track, String enforced, String keys, String asked, String key) {
    Bench bench = with(track, enforced, "add user alice " + keys);
    int id = asked.isEmpty() ? bench.submit() : bench.submit(asked);
    assertThat(bench.job(id).owner().wckey()).isEqualTo(key);
  }

  @Test
  void whereKeysAreTrackedAndTheUserHasNoneAJobShowsThatItGotNoneByDefault() {
    Bench bench = with("yes", "associations");
    assertThat(bench.job(bench.submit()).owner().wckey()).isEqualTo("*");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "no  | associations        | wckey=apex | wckey=*apex",
        "yes | associations,wckeys | wckey=apex | wckey=base",
        "yes | associations,wckeys | wckey=apex | wckey=*apex",
        "yes | associations,wckeys | ''         | ''",
      })
  void aKeyThatIsNotTheUsersIsRefusedWhereKeysAreEnforcedAndAMarkedOneAlways(
      String track, String enforced, String keys, String asked) {
    Bench bench =
        keys.isEmpty() ? with(track, enforced) : with(track, enforced, "add user alice " + keys);
    Reply reply =
        asked.isEmpty()
            ? bench.handle(new Command.Submit(ALICE, TestCluster.submission()))
            : bench.handle(new Command.Submit(ALICE, TestCluster.submission(asked)));
    assertThat(reply)
        .isInstanceOfSatisfying(
            Reply.Refused.class, r -> assertThat(r.error()).isEqualTo(SlurmError.INVALID_WCKEY));
  }

  private static Reply update(Bench bench, int id, String key) {
    return bench.handle(
        new Command.UpdateJob(ALICE, String.valueOf(id), new TreeMap<>(Map.of("wckey", key))));
  }

  @Test
  void aPendingJobMayGetAnotherKeyOfItsUserAndARunningOneKeepsItsOwn() {
    Bench bench = with("yes", "associations,wckeys", "add user alice wckey=apex,base");
    int id = bench.submit();
    assertThat(update(bench, id, "Base")).isNotInstanceOf(Reply.Refused.class);
    assertThat(bench.job(id).owner().wckey()).isEqualTo("base");
    assertThat(update(bench, id, "core"))
        .isInstanceOfSatisfying(
            Reply.Refused.class, r -> assertThat(r.error()).isEqualTo(SlurmError.INVALID_WCKEY));
    bench.schedule();
    assertThat(update(bench, id, "apex"))
        .isInstanceOfSatisfying(
            Reply.Refused.class, r -> assertThat(r.error()).isEqualTo(SlurmError.JOB_NOT_PENDING));
    assertThat(bench.job(id).owner().wckey()).isEqualTo("base");
  }

  @Test
  void aKeyThatNobodyKnowsBecomesTheDefaultInAnUpdateWhereKeysAreOnlyTracked() {
    Bench bench = with("yes", "associations", "add user alice wckey=apex,base");
    int id = bench.submit("wckey=base");
    update(bench, id, "core");
    assertThat(bench.job(id).owner().wckey()).isEqualTo("apex");
  }

  @Test
  void scancelMeansAKeyWhetherTheJobNamedItOrGotItByDefault() {
    assertThat(WorkloadKeys.matches("*apex", "apex")).isTrue();
    assertThat(WorkloadKeys.matches("apex", "apex")).isTrue();
    assertThat(WorkloadKeys.matches("apex", "*apex")).isFalse();
    assertThat(WorkloadKeys.matches("*apex", "base")).isFalse();
  }

  @Test
  void keysAreTakenFromUsersWithoutTakingTheUsers() {
    Bench bench = with("yes", "associations", "add user alice wckey=apex,base");
    edit(bench, "delete user alice where wckey=apex");
    assertThat(bench.core.state().accounting().users().get("alice"))
        .satisfies(
            u -> {
              assertThat(u.wckeys()).containsExactly("base");
              assertThat(u.defaultWckey()).isEmpty();
              assertThat(u.defaultAccount()).isEqualTo("lab");
            });
  }
}
