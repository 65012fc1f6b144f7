package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ALICE;
import static dev.yardmaster.controller.TestCluster.NOW;
import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.SlurmError;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** What {@code scontrol update reservation} changes, and what it refuses. */
class ReservationUpdateTest {
  private final Bench bench = Bench.ready();

  private Reply create(String fields) {
    return bench.handle(new Command.SaveReservation(ROOT, true, Bench.fields(fields.split(" "))));
  }

  private Reply update(String fields) {
    return bench.handle(new Command.SaveReservation(ROOT, false, Bench.fields(fields.split(" "))));
  }

  private Reservation get(String name) {
    return Objects.requireNonNull(bench.core.state().reservations().get(name), name);
  }

  private void made(String fields) {
    assertThat(create("reservation=r starttime=now duration=60 " + fields))
        .isInstanceOf(Reply.Done.class);
  }

  @Test
  void oneThatIsMadeSmallerLosesItsFirstIdleNodes() {
    create("reservation=s starttime=now duration=60 nodes=n[1-4] user=alice");
    bench.run("reservation=s", "nodelist=n2", "time=10");
    update("reservation=s nodecnt=2");
    assertThat(get("s").nodes()).containsExactly("n2", "n4");
    update("reservation=s nodecnt=1");
    assertThat(get("s").nodes()).containsExactly("n2");
    update("reservation=s nodecnt=3");
    assertThat(get("s").nodes()).hasSize(3).contains("n2");
  }

  @Test
  void listsOfThoseKeptOutTurnTheSigns() {
    made("nodes=n1 users=x");
    update("reservation=r accounts=-=a");
    update("reservation=r accounts=-b");
    assertThat(get("r").accounts()).containsExactly("-a", "-b");
    update("reservation=r accounts=+=a");
    assertThat(get("r").accounts()).containsExactly("-b");
    assertThat(Bench.error(update("reservation=r accounts=+=a")))
        .isEqualTo(SlurmError.INVALID_ACCOUNT);
    assertThat(Bench.error(update("reservation=r users=-y"))).isEqualTo(SlurmError.INVALID_USER_ID);
    assertThat(Bench.error(update("reservation=r groups=g")))
        .isEqualTo(SlurmError.RESERVATION_USER_GROUP);
    update("reservation=r users= groups=g,h");
    update("reservation=r groups=-g");
    assertThat(get("r").groups()).containsExactly("h");
    assertThat(get("r").users()).isEmpty();
  }

  @Test
  void flagsAreAddedAndTakenAwayOneByOne() {
    made("nodes=n1 users=x flags=DAILY,FLEX");
    assertThat(Bench.error(update("reservation=r flags=WEEKLY")))
        .isEqualTo(SlurmError.NOT_SUPPORTED);
    update("reservation=r flags=-daily,flex");
    update("reservation=r flags=+=weekend,magn");
    assertThat(get("r").flagWords()).containsExactly("WEEKEND", "SPEC_NODES", "MAGNETIC");
    assertThat(Bench.error(update("reservation=r flags=TIME_FLOAT")))
        .isEqualTo(SlurmError.INVALID_TIME_VALUE);
    assertThat(Bench.error(update("reservation=r flags=-overlap")))
        .isEqualTo(SlurmError.NOT_SUPPORTED);
    assertThat(Bench.error(update("reservation=r flags=replace")))
        .isEqualTo(SlurmError.NOT_SUPPORTED);
    update("reservation=r flags=maint");
    update("reservation=r flags=-maint,weekend,magnetic");
    assertThat(get("r").flagWords()).containsExactly("SPEC_NODES");
  }

  @Test
  void theLengthCanBeChangedByMinutesAndMovesWithTheStart() {
    create("reservation=l starttime=now+1hour duration=60 nodes=n1 user=x");
    update("reservation=l duration=+=30");
    assertThat(get("l").length()).hasMinutes(90);
    update("reservation=l duration=-=20 starttime=now+2hours");
    assertThat(get("l").start()).isEqualTo(NOW.plusSeconds(7200));
    assertThat(get("l").length()).hasMinutes(70);
    create("reservation=e starttime=now+1hour endtime=now+3hours nodes=n2 user=x");
    update("reservation=e starttime=now+2hours");
    assertThat(get("e").length()).hasMinutes(60);
  }

  @Test
  void nobodyWhoUsesItLosesItByAnUpdate() {
    made("nodes=n1 users=alice,bob");
    int id = bench.submit("reservation=r", "hold");
    Reply.Refused refused = (Reply.Refused) update("reservation=r users=bob");
    assertThat(refused.error()).isEqualTo(SlurmError.RESERVATION_BUSY);
    assertThat(refused.detail())
        .isEqualTo("error: Reservation update rejected because of JobId=" + id);
    assertThat(get("r").users()).containsExactly("alice", "bob");
  }

  @Test
  void whoMayDeleteMaySkipAndNothingElse() {
    create(
        "reservation=d starttime=now+1hour duration=9 nodes=n1 users=alice flags=DAILY,USER_DEL");
    Reply skipped =
        bench.handle(
            new Command.SaveReservation(ALICE, false, Bench.fields("reservation=d", "duration=5")));
    assertThat(skipped).isInstanceOf(Reply.Done.class);
    assertThat(get("d").start()).isEqualTo(NOW.plusSeconds(3600 + 86_400));
    assertThat(get("d").length()).hasMinutes(9);
    assertThat(
            Bench.error(
                bench.handle(
                    new Command.SaveReservation(
                        ALICE, false, Bench.fields("reservation=d", "flags=MAINT")))))
        .isEqualTo(SlurmError.INVALID_USER_ID);
  }

  @Test
  void coresAreNotChangedByAnUpdate() {
    made("nodes=n1 corecnt=4 users=x");
    assertThat(Bench.error(update("reservation=r nodecnt=2")))
        .isEqualTo(SlurmError.CORE_RESERVATION_UPDATE);
    assertThat(Bench.error(update("reservation=r corecnt=2")))
        .isEqualTo(SlurmError.CORE_RESERVATION_UPDATE);
    assertThat(update("reservation=r duration=5")).isInstanceOf(Reply.Done.class);
  }

  @Test
  void whatJobsSaidOfMaintenanceGoesWithIt() {
    create("reservation=below starttime=now duration=60 nodes=n1 users=alice");
    create("reservation=m starttime=now duration=120 nodes=n2 users=root flags=MAINT");
    create("reservation=above starttime=now duration=60 nodes=n1 users=bob flags=OVERLAP");
    int id = bench.run("reservation=below", "time=5");
    assertThat(bench.job(id).reasonText()).isEqualTo("ReqNodeNotAvail, Reserved for maintenance");
    bench.cancel(ALICE, "" + id);
    bench.handle(new Command.DeleteReservation(ROOT, "above"));
    assertThat(bench.job(id).reasonText()).isNotEmpty();
    bench.handle(new Command.DeleteReservation(ROOT, "m"));
    assertThat(bench.job(id).reason()).isEqualTo(Reason.NONE);
    assertThat(bench.job(id).reasonText()).isEmpty();
  }
}
