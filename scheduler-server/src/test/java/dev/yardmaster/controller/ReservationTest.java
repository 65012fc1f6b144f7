package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ALICE;
import static dev.yardmaster.controller.TestCluster.BOB;
import static dev.yardmaster.controller.TestCluster.NOW;
import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Hold;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.SlurmError;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ReservationTest {
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

  private Reservation made(String fields) {
    assertThat(create("reservation=r starttime=now duration=60 " + fields))
        .isInstanceOf(Reply.Done.class);
    return get("r");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "nodecnt=2 user=x | n1,n2 | ",
        "nodes=n[2-3] user=x flags=maint,ignore_jobs | n2,n3 | MAINT,IGNORE_JOBS,SPEC_NODES",
        "nodes=ALL user=x flags=MAINT | n1,n2,n3,n4,n5,n6 | MAINT,SPEC_NODES,ALL_NODES",
        "nodes=ALL partition=main user=x flags=PART_NODES | n1,n2,n3,n4,n5,n6 |"
            + " SPEC_NODES,PART_NODES",
        "partition=main accounts=-a | n1,n2,n3,n4,n5,n6 | SPEC_NODES,PART_NODES",
        "nodecnt=1 groups=g flags=REPLACE | n1 | REPLACE",
        "tres=node=3 qos=high flags=static_alloc | n1,n2,n3 | STATIC"
      })
  void nodesAndFlagsAreAsScontrolSays(String fields, String nodes, String flags) {
    Reservation r = made(fields);
    assertThat(String.join(",", r.nodes())).isEqualTo(nodes);
    assertThat(String.join(",", r.flagWords())).isEqualTo(flags == null ? "" : flags);
  }

  @Test
  void coresAreSpreadOverTheSocketsAndNotReservedTwice() {
    create("reservation=core1 starttime=now duration=60 corecnt=4 nodes=n1 user=x");
    create("reservation=tres1 starttime=now duration=60 tres=cpu=9 user=x");
    assertThat(get("core1").cores())
        .isEqualTo(new TreeMap<>(Map.of("n1", IndexSet.parse("0-1,8-9"))));
    assertThat(get("tres1").cores().toString())
        .isEqualTo("{n1=2-3,10-11, n2=0, n3=0, n4=0, n5=0, n6=0}");
    assertThat(Bench.error(create("starttime=now duration=9 corecnt=13 nodes=n1 user=x")))
        .isEqualTo(SlurmError.NODES_BUSY);
  }

  @Test
  void coresAreTakenOfTheNodesThatHaveSomeAndWholeNodesMayBeLaidOverThem() {
    create("reservation=all1 starttime=now duration=60 nodes=n1 user=x");
    create("reservation=part starttime=now duration=60 tres=cpu=9 user=x");
    assertThat(get("part").cores().toString()).isEqualTo("{n2=0-2,8-9, n3=0, n4=0, n5=0, n6=0}");
    create("reservation=over starttime=now duration=60 nodes=n3 user=x");
    assertThat(get("over").nodes()).containsExactly("n3");
    assertThat(Bench.error(create("starttime=now duration=9 corecnt=1 nodes=n1 user=x")))
        .isEqualTo(SlurmError.RESERVATION_OVERLAP);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "starttime=now duration=1 nodes=n1 users=x flags=DAILY,WEEKLY | NOT_SUPPORTED",
        "starttime=now duration=1 nodes=n1 users=x flags=DAILY,TIME_FLOAT | NOT_SUPPORTED",
        "starttime=now duration=1 nodes=n1 users=x flags=REPLACE | INVALID_NODE_NAME",
        "starttime=now duration=1 tres=cpu=1 corecnt=1 users=x | INVALID_CPU_COUNT",
        "starttime=now duration=1 corecnt=1 users=x flags=REPLACE_DOWN | INVALID_CPU_COUNT",
        "starttime=now duration=1 nodecnt=1 users=x flags=REPLACE,MAINT | NOT_SUPPORTED",
        "starttime=now-11minutes duration=60 nodes=n1 users=x | INVALID_TIME_VALUE",
        "starttime=now-2hours duration=60 nodes=n1 users=x flags=DAILY,FORCE_START |"
            + " INVALID_TIME_VALUE",
        "starttime=now duration=1 corecnt=4 users=x flags=ANY_NODES | INVALID_CPU_COUNT",
        "starttime=now duration=1 nodecnt=1 users=x flags=ANY_NODES | INVALID_RESERVATION",
        "starttime=now duration=1 nodecnt=1 users=x allowedpartitions=nix | INVALID_PARTITION_NAME",
        "starttime=2020-01-01 duration=9999-0 nodes=n1 users=x | INVALID_TIME_VALUE",
        "starttime=now duration=1 nodes=n1 users=x groups=g | RESERVATION_USER_GROUP",
        "starttime=now duration=1 nodes=n1 users=x,-y | UNSPECIFIED",
        "starttime=now duration=1 nodes=n1 groups=-g | INVALID_GROUP_ID",
        "starttime=now duration=1 nodes=n1 users=x flags=SPEC_NODES | NOT_SUPPORTED",
        "starttime=now duration=1 nodes=n1 users=x flags=PART_NODES | INVALID_PARTITION_NAME",
        "starttime=now duration=1 licenses=nix users=x flags=LICENSE_ONLY | INVALID_LICENSES",
        "starttime=now duration=1 nodecnt=1 features=a[ users=x | INVALID_FEATURE",
        "starttime=now duration=1 nodecnt=1 features=nix users=x | NODES_BUSY",
        "starttime=now duration=1 tres=gres/gpu=99 users=x | NODES_BUSY",
        "starttime=now duration=1 tres=foo=1 users=x | INVALID_TRES",
        "starttime=now duration=1 nodes=n1 users=x watts=3 | NOT_SUPPORTED"
      })
  void whatCannotBeIsRefusedAsAWhole(String fields, SlurmError error) {
    assertThat(Bench.error(create(fields))).isEqualTo(error);
    assertThat(bench.core.state().reservations()).isEmpty();
  }

  @Test
  void aDailyOneComesAgainAndCanBeSkipped() {
    create("reservation=d starttime=now+1hour duration=60 nodes=n1 user=x flags=DAILY");
    bench.pass(7200);
    assertThat(get("d").start()).isEqualTo(NOW.plusSeconds(25 * 3600));
    assertThat(update("reservation=d skip=")).isInstanceOf(Reply.Done.class);
    assertThat(get("d").start()).isEqualTo(NOW.plusSeconds(49 * 3600));
    create("reservation=once starttime=now+1hour duration=60 nodes=n2 user=x");
    assertThat(Bench.error(update("reservation=once skip=")))
        .isEqualTo(SlurmError.RESERVATION_NO_SKIP);
  }

  @Test
  void oneThatRepeatsMayHaveBegunInThePast() {
    create(
        "reservation=f starttime=now-30minutes duration=60 nodes=n1 user=x"
            + " flags=DAILY,FORCE_START");
    assertThat(get("f").start()).isEqualTo(NOW.minusSeconds(1800));
    assertThat(get("f").isActive(NOW)).isTrue();
  }

  @Test
  void oneThatLastsLongerThanUntilItComesAgainIsTaken() {
    create("reservation=h starttime=now duration=90 nodes=n1 user=x flags=HOURLY");
    assertThat(get("h").length()).hasMinutes(90);
    assertThat(
            Bench.error(create("starttime=now+10hours duration=10 nodes=n1 user=x flags=WEEKLY")))
        .isEqualTo(SlurmError.RESERVATION_OVERLAP);
  }

  @Test
  void withoutALengthItLastsAsLongAsSlurmsClock() {
    create("reservation=z starttime=now duration=0 nodes=n1 user=x");
    assertThat(get("z").end()).isEqualTo(java.time.Instant.ofEpochSecond(0xFFFF_FFFFL));
  }

  @Test
  void weekendsAndWorkingDaysAreThoseOfTheDayOnWhichItIsMovedOn() {
    // NOW is a Tuesday.
    create("reservation=d starttime=now+1hour duration=30 nodes=n1 user=x flags=WEEKEND");
    update("reservation=d skip=");
    assertThat(get("d").start()).isEqualTo(NOW.plusSeconds(3600 + 4 * 86_400));
    update("reservation=d skip=");
    assertThat(get("d").start()).isEqualTo(NOW.plusSeconds(3600 + 8 * 86_400));
  }

  @Test
  void aFloatingOneStaysAhead() {
    create("reservation=f starttime=now+1hour duration=60 nodes=n1 user=x flags=TIME_FLOAT");
    bench.pass(7200);
    assertThat(get("f").at(NOW.plusSeconds(7200)).start()).isEqualTo(NOW.plusSeconds(10_800));
    assertThat(get("f").isActive(NOW.plusSeconds(9999))).isFalse();
  }

  @Test
  void aFloatingOneIsLaidOverOthersThatDoNotRepeatAndTakesNoJobs() {
    create("reservation=a starttime=now+2hours duration=60 nodes=n[1-6] user=x");
    assertThat(
            Bench.error(create("reservation=b starttime=now+2hours duration=9 nodecnt=1 user=x")))
        .isEqualTo(SlurmError.NODES_BUSY);
    create("reservation=f starttime=now+2hours duration=60 nodecnt=1 user=alice flags=TIME_FLOAT");
    assertThat(get("f").nodes()).containsExactly("n1");
    assertThat(
            Bench.error(
                bench.handle(new Command.Submit(ALICE, TestCluster.submission("reservation=f")))))
        .isEqualTo(SlurmError.RESERVATION_ACCESS);
  }

  @Test
  void usedNodesAreReplacedBeforeItBegins() {
    create("reservation=c starttime=now+2hours duration=60 nodecnt=2 user=x flags=REPLACE");
    create("reservation=s starttime=now+4hours duration=60 nodecnt=2 user=x flags=REPLACE_DOWN");
    bench.run("nodelist=n1", "nodes=1", "time=60");
    bench.pass(40);
    assertThat(get("c").nodes()).containsExactly("n2", "n3");
    assertThat(get("s").nodes()).containsExactly("n1", "n2");
  }

  @Test
  void lostNodesAreReplacedUnlessTheyWereNamed() {
    create("reservation=c starttime=now duration=60 nodecnt=2 user=x");
    create("reservation=s starttime=now duration=60 nodes=n3 user=x flags=OVERLAP");
    bench.nodes(ROOT, "n1,n3", "state=drain", "reason=x");
    bench.pass(2);
    assertThat(get("c").nodes()).containsExactly("n2", "n4");
    assertThat(get("s").nodes()).containsExactly("n3");
  }

  @Test
  void usedNodesAreReplacedWhenIdleOnesAreWanted() {
    create("reservation=c starttime=now duration=60 nodecnt=2 user=alice flags=REPLACE");
    int id = bench.run("reservation=c", "nodes=1");
    bench.pass(2);
    assertThat(get("c").nodes()).containsExactly("n2", "n3");
    assertThat(bench.host(id)).isEqualTo("n1");
  }

  @ParameterizedTest
  @ValueSource(strings = {"time", "submission", "update", "end", "node down", "partition"})
  void nodesThatBecomeFreeAreNotTakenForThoseInUseBeforeItIsTime(String cause) {
    bench.nodes(ROOT, "n[3-6]", "state=drain", "reason=x");
    create("reservation=c starttime=now duration=60 nodecnt=2 user=alice flags=REPLACE");
    int id = bench.run("reservation=c", "nodes=1");
    int other = bench.submit("hold");
    bench.nodes(ROOT, "n3", "state=resume");
    bench.pass(20);
    assertThat(get("c").nodes()).containsExactly("n1", "n2");
    switch (cause) {
      case "submission" -> bench.submit("reservation=c", "hold");
      case "update" -> bench.update(ROOT, other, "reservation=c");
      case "end" -> bench.cancel(ALICE, "" + id);
      case "node down" -> bench.nodes(ROOT, "n6", "state=down", "reason=x");
      case "partition" ->
          bench.handle(new Command.UpdatePartition(ROOT, "main", Bench.fields("maxtime=100")));
      default -> bench.pass(10);
    }
    assertThat(get("c").nodes()).containsExactly("n2", "n3");
  }

  @Test
  void oneThatNobodyUsesIsPurgedAfterAWhile() {
    create("reservation=p starttime=now duration=60 nodecnt=1 user=alice flags=PURGE_COMP=2");
    int id = bench.submit("reservation=p", "hold");
    bench.pass(300);
    assertThat(get("p").purgeSeconds()).isEqualTo(120);
    bench.cancel(ALICE, "" + id);
    bench.pass(1);
    bench.pass(119);
    assertThat(bench.core.state().reservations()).containsKey("p");
    bench.pass(2);
    assertThat(bench.core.state().reservations()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({"'', TIMEOUT", "FLEX, RUNNING", "DAILY, RUNNING"})
  void jobsEndWithTheirReservationUnlessItIsFlexibleOrComesAgain(String flags, JobState then) {
    String fields = "reservation=name starttime=now duration=10 nodes=n1 user=alice";
    create(flags.isEmpty() ? fields : fields + " flags=" + flags);
    int job = bench.run("reservation=name", "ntasks=1", "time=60");
    assertThat(bench.job(job).state()).isEqualTo(JobState.RUNNING);
    bench.pass(599);
    assertThat(bench.job(job).state()).isEqualTo(JobState.RUNNING);
    bench.pass(1);
    assertThat(bench.job(job).state()).isEqualTo(then);
    assertThat(bench.core.state().reservations().containsKey("name"))
        .isEqualTo(flags.equals("DAILY"));
  }

  @Test
  void resvOverRunLetsJobsGoOnForAWhile() {
    Bench lab = Bench.ready(Map.of("ResvOverRun", "5"));
    lab.handle(
        new Command.SaveReservation(
            TestCluster.ROOT,
            true,
            Bench.fields(
                "reservation=r", "starttime=now", "duration=10", "nodes=n1", "users=alice")));
    int job = lab.run("reservation=r", "ntasks=1", "time=60");
    lab.pass(899);
    assertThat(lab.job(job).state()).isEqualTo(JobState.RUNNING);
    assertThat(lab.core.state().reservations()).containsKey("r");
    lab.pass(1);
    assertThat(lab.job(job).state()).isEqualTo(JobState.TIMEOUT);
    assertThat(lab.core.state().reservations()).doesNotContainKey("r");
  }

  @Test
  void jobsThatWaitedForOneThatEndsAreHeldUnlessItSaysOtherwise() {
    create("reservation=a starttime=now duration=10 nodes=n1 user=alice");
    create("reservation=b starttime=now duration=10 nodes=n2 user=alice flags=NO_HOLD_JOBS_AFTER");
    int held = bench.submit("reservation=a", "time=60");
    int free = bench.submit("reservation=b", "time=60");
    bench.pass(601);
    Job a = bench.job(held);
    assertThat(a.hold()).isEqualTo(Hold.ADMIN);
    assertThat(a.reason()).isEqualTo(Reason.RESERVATION_DELETED);
    assertThat(a.reasonText()).isEqualTo("Reservation a was deleted");
    assertThat(bench.job(free).hold()).isEqualTo(Hold.NONE);
    assertThat(bench.job(free).reservation()).isNull();
  }

  @Test
  void whoIsKeptOutIsRefusedAndUsersMayDeleteWhereTheyMay() {
    create("reservation=d starttime=now duration=60 nodes=n1 users=-bob flags=USER_DELETE");
    assertThat(
            Bench.error(
                bench.handle(new Command.Submit(BOB, TestCluster.submission("reservation=d")))))
        .isEqualTo(SlurmError.RESERVATION_ACCESS);
    int id = bench.submit("reservation=d", "hold");
    assertThat(Bench.error(bench.handle(new Command.DeleteReservation(BOB, "d"))))
        .isEqualTo(SlurmError.INVALID_USER_ID);
    bench.cancel(ALICE, "" + id);
    assertThat(bench.handle(new Command.DeleteReservation(ALICE, "d")))
        .isInstanceOf(Reply.Done.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "users= | RESERVATION_EMPTY",
        "users=-a,b | INVALID_USER_ID",
        "accounts=-a,b | INVALID_ACCOUNT"
      })
  void whoMayUseItCannotBeNobodyOrHalfKeptOut(String fields, SlurmError error) {
    made("nodes=n1 users=x");
    assertThat(Bench.error(update("reservation=r " + fields))).isEqualTo(error);
    assertThat(get("r").users()).containsExactly("x");
  }

  @Test
  void anUpdateChangesWhatItNamesAlone() {
    made("nodes=n1 users=x,y");
    update("reservation=r users=+=z");
    update("reservation=r nodes=+=n2");
    update("reservation=r duration=30");
    assertThat(get("r").users()).containsExactly("x", "y", "z");
    assertThat(get("r").nodes()).containsExactly("n1", "n2");
    assertThat(get("r").length()).hasMinutes(30);
    update("reservation=r users=-=x");
    assertThat(get("r").users()).containsExactly("y", "z");
    assertThat(Bench.error(update("reservation=r starttime=now+5minutes")))
        .isEqualTo(SlurmError.RESERVATION_STARTED);
    assertThat(Bench.error(update("reservation=nix duration=1")))
        .isEqualTo(SlurmError.INVALID_RESERVATION);
  }

  @Test
  void onlyItsUsersMayAskForAReservationAndWhileTheyDoItStays() {
    made("nodes=n1 users=alice");
    assertThat(
            Bench.error(
                bench.handle(new Command.Submit(BOB, TestCluster.submission("reservation=r")))))
        .isEqualTo(SlurmError.RESERVATION_ACCESS);
    int id = bench.submit("reservation=r", "hold");
    assertThat(Bench.error(bench.handle(new Command.DeleteReservation(ROOT, "r"))))
        .isEqualTo(SlurmError.RESERVATION_BUSY);
    bench.cancel(ALICE, "" + id);
    assertThat(bench.handle(new Command.DeleteReservation(ROOT, "r")))
        .isInstanceOf(Reply.Done.class);
    assertThat(Bench.error(bench.handle(new Command.DeleteReservation(ROOT, "r"))))
        .isEqualTo(SlurmError.INVALID_RESERVATION);
  }

  @Test
  void nodesUnderMaintenanceAreTakenByOneThatMayLieOverItOnly() {
    create("reservation=m starttime=now+10minutes duration=30 nodes=n1 user=x flags=maint");
    create("reservation=five starttime=now duration=60 nodecnt=5 user=x");
    assertThat(get("five").nodes()).containsExactly("n2", "n3", "n4", "n5", "n6");
    assertThat(Bench.error(create("starttime=now duration=60 nodecnt=1 user=x")))
        .isEqualTo(SlurmError.NODES_BUSY);
    create("reservation=last starttime=now duration=60 nodecnt=1 user=x flags=overlap");
    assertThat(get("last").nodes()).containsExactly("n1");
  }

  @Test
  void aJobThatItsReservationCannotHoldIsRefusedOnlyWhenThatHasBegun() {
    create("reservation=later starttime=now+1hour duration=60 nodes=n[1-2] user=alice");
    create("reservation=now starttime=now duration=60 nodes=n[3-4] user=alice");
    Job waits = bench.job(bench.submit("reservation=later", "nodes=3"));
    assertThat(waits.state()).isEqualTo(JobState.PENDING);
    assertThat(
            Bench.error(
                bench.handle(
                    new Command.Submit(
                        ALICE, TestCluster.submission("reservation=now", "nodes=3")))))
        .isEqualTo(SlurmError.REQUESTED_NODE_CONFIG_UNAVAILABLE);
  }

  @Test
  void coresUnderMaintenanceAreNotFoundButMayBeNamed() {
    create("reservation=m starttime=now+10minutes duration=30 nodes=n[1-5] user=x flags=maint");
    create("reservation=o starttime=now duration=60 nodes=n6 user=x flags=overlap");
    create("reservation=over starttime=now duration=60 corecnt=2 user=x");
    assertThat(get("over").nodes()).containsExactly("n6");
    assertThat(Bench.error(create("starttime=now duration=60 corecnt=17 user=x")))
        .isEqualTo(SlurmError.NODES_BUSY);
    create("reservation=named starttime=now duration=60 corecnt=2 nodes=n1 user=x");
    assertThat(get("named").cores()).containsOnlyKeys("n1");
  }

  @Test
  void nodesAreChosenAsForAJobTheBestRunFirst() {
    create("reservation=a starttime=now duration=60 nodes=n2 user=x");
    create("reservation=b starttime=now duration=60 nodecnt=2 user=x");
    assertThat(get("b").nodes()).containsExactly("n3", "n4");
    create("reservation=c starttime=now duration=60 nodecnt=1 user=x");
    assertThat(get("c").nodes()).containsExactly("n1");
  }

  @Test
  void licencesOfReservationsAtTheSameTimeAreSummedUp() {
    // There are four.
    create("reservation=a starttime=now duration=60 licenses=sim:3 users=x flags=LICENSE_ONLY");
    assertThat(
            Bench.error(
                create("starttime=now duration=9 licenses=sim:2 users=x flags=LICENSE_ONLY")))
        .isEqualTo(SlurmError.INVALID_LICENSES);
    create("reservation=b starttime=now+1hour duration=9 licenses=sim:4 users=x flags=LICENSE");
    assertThat(get("b").licenses()).isEqualTo(Map.of("sim", 4));
  }

  @Test
  void jobsOfOthersAreInTheWayOfAChangedReservationOfCores() {
    made("corecnt=4 nodes=n1 users=alice");
    bench.run("nodelist=n1", "time=60");
    assertThat(Bench.error(update("reservation=r users=alice,bob")))
        .isEqualTo(SlurmError.NODES_BUSY);
    assertThat(get("r").users()).containsExactly("alice");
  }

  private Reply reserve(String... fields) {
    return bench.handle(new Command.SaveReservation(ROOT, true, Bench.fields(fields)));
  }

  @Test
  void aReservationIsKeptFromItsStartToItsEnd() {
    assertThat(
            reserve(
                "reservationname=m",
                "starttime=now+1hour",
                "duration=14-00:00:00",
                "nodes=n[1-2]",
                "users=alice",
                "flags=maint"))
        .isEqualTo(new Reply.Done(List.of("Reservation created: m")));
    Reservation m = Objects.requireNonNull(bench.core.state().reservations().get("m"));
    assertThat(m.start()).isEqualTo(TestCluster.NOW.plusSeconds(3600));
    assertThat(Duration.between(m.start(), m.end())).isEqualTo(Duration.ofDays(14));
    assertThat(m.nodes()).containsExactly("n1", "n2");
    assertThat(m.flags()).isEqualTo(Set.of("MAINT", "SPEC_NODES"));
    bench.pass(3600 + 14 * 86_400 - 1);
    assertThat(bench.core.state().reservations()).containsKey("m");
    bench.pass(1);
    assertThat(bench.core.state().reservations()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "starttime=now nodes=n1 users=x | INVALID_RESERVATION",
        "starttime=now endtime=2020-01-01 nodes=n1 users=x | INVALID_TIME_VALUE",
        "duration=60 nodes=n1 users=x | INVALID_RESERVATION",
        "starttime=now duration=60 users=x | INVALID_NODE_NAME",
        "starttime=now duration=60 nodes=n1 | RESERVATION_EMPTY",
        "starttime=now duration=60 nodes=n99 users=x | INVALID_NODE_NAME",
        "starttime=soon duration=60 nodes=n1 users=x | COMMAND_VALUE",
        "starttime=now duration=x nodes=n1 users=x | COMMAND_VALUE",
        "starttime=now duration=60 nodes=n1 users=x flags=BOGUS | NOT_SUPPORTED",
        "starttime=now duration=60 nodecnt=7 users=x | NODES_BUSY"
      })
  void aReservationThatSaysTooLittleOrTooMuchIsRefused(String fields, SlurmError error) {
    assertThat(Bench.error(reserve(fields.split(" ")))).isEqualTo(error);
    assertThat(bench.core.state().reservations()).isEmpty();
  }

  @Test
  void reservationsLeaveEachOtherAndRunningJobsAlone() {
    bench.run("nodelist=n1", "time=60");
    assertThat(Bench.error(reserve("starttime=now", "duration=60", "nodes=n1", "users=x")))
        .isEqualTo(SlurmError.NODES_BUSY);
    assertThat(reserve("starttime=now", "duration=60", "nodes=n1", "users=x", "flags=ignore_jobs"))
        .isInstanceOf(Reply.Done.class);
    assertThat(Bench.error(reserve("starttime=now+30", "duration=60", "nodes=ALL", "users=x")))
        .isEqualTo(SlurmError.RESERVATION_OVERLAP);
    assertThat(
            Bench.error(
                bench.handle(
                    new Command.SaveReservation(
                        ALICE,
                        true,
                        Bench.fields("starttime=now", "duration=1", "nodes=n2", "users=x")))))
        .isEqualTo(SlurmError.INVALID_USER_ID);
  }
}
