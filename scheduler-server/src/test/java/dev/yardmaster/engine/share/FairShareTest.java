package dev.yardmaster.engine.share;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.AccountingChange;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.AssociationUsage;
import dev.yardmaster.model.PriorityPolicy;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.QosUsage;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.pcollections.TreePMap;

/** Decay of usage, and what fair tree and classic fair share make of it. */
class FairShareTest {
  private static final Instant T = Instant.parse("2026-11-29T12:00:00Z");

  private Accounting accounting = Accounting.initial();
  private final TreeMap<Integer, AssociationUsage> used = new TreeMap<>();

  private int account(String name, int parent, int shares) {
    return save(Association.of(next(), name, "", parent).withShares(shares));
  }

  private int user(String name, String account, int parent, int shares, double raw) {
    int id = save(Association.of(next(), account, name, parent).withShares(shares));
    for (Association a :
        accounting.upwards(
            accounting.associations().getOrDefault(id, Association.of(0, "", "", 0)))) {
      used.merge(
          a.id(), AssociationUsage.NONE.withRaw(raw), (x, y) -> x.withRaw(x.raw() + y.raw()));
    }
    return id;
  }

  private int next() {
    return accounting.associations().lastKey() + 1;
  }

  private int save(Association a) {
    accounting = accounting.apply(AccountingChange.NONE.withAssociations(List.of(a)));
    return a.id();
  }

  private UsageBook period(PriorityPolicy policy) {
    UsageBook book = new UsageBook(TreePMap.from(used), TreePMap.empty(), T);
    return UsagePeriod.end(accounting, policy, book, List.of(), T, false);
  }

  private double factor(UsageBook book, int id) {
    return book.associations().getOrDefault(id, AssociationUsage.NONE).fairShare();
  }

  @Test
  void theTreeRanksWholeAccountsByTheirShareOfUse() {
    int a1 = account("a1", 1, 50);
    int a1x = account("a1x", a1, 4);
    int a1y = account("a1y", a1, Association.PARENT);
    int a2 = account("a2", 1, 30);
    int a3 = account("a3", 1, 15);
    int a4 = account("a4", 1, 5);
    int[] ids = {
      user("alice", "a1x", a1x, 3, 279),
      user("bob", "a1x", a1x, 1, 59),
      user("carol", "a1y", a1y, 2, 479),
      user("dave", "a2", a2, 1, 2558),
      user("erin", "a3", a3, 1, 1918),
      user("mail", "a3", a3, 7, 0),
      user("frank", "a4", a4, 1, 99)
    };
    UsageBook book = period(PriorityPolicy.defaults());
    List<Double> factors = new ArrayList<>();
    for (int id : ids) {
      factors.add(factor(book, id));
    }
    assertThat(factors).containsExactly(0.75, 0.875, 0.625, 0.375, 0.125, 0.25, 0.5);
    assertThat(factor(book, 2)).as("root's own user has used nothing").isEqualTo(1);
    Shares shares = new Shares(accounting);
    Association carol = accounting.find("carol", "a1y", "");
    assertThat(shares.norm(java.util.Objects.requireNonNull(carol)))
        .isCloseTo(1 / 3.0, within(1e-9));
    assertThat(book.associations().getOrDefault(ids[2], AssociationUsage.NONE).effectiveUsage())
        .as("it competes where its account stands")
        .isCloseTo(479.0 / 817, within(1e-9));
  }

  @Test
  void thoseWithoutUseShareTheFirstRank() {
    int a = account("a", 1, 1);
    int b = account("b", 1, 1);
    int one = user("u1", "a", a, 1, 0);
    int two = user("u2", "b", b, 9, 0);
    UsageBook book = period(PriorityPolicy.defaults());
    assertThat(List.of(factor(book, one), factor(book, two), factor(book, 2)))
        .containsExactly(1.0, 1.0, 1.0);
  }

  @ParameterizedTest
  @CsvSource({
    "16791,60,120,11862",
    "11862,60,120,8380",
    "1000,604800,604800,500",
    "1000,60,0,1000"
  })
  void usageDecaysByHalfInTheHalfLife(double before, long seconds, long halfLife, double after) {
    UsageBook book =
        new UsageBook(
            TreePMap.singleton(1, AssociationUsage.NONE.withRaw(before)), TreePMap.empty(), T);
    PriorityPolicy policy = PriorityPolicy.defaults().withDecayHalfLifeSeconds(halfLife);
    UsageBook decayed = book.decayTo(accounting, policy, T.plusSeconds(seconds));
    assertThat(decayed.associations().getOrDefault(1, AssociationUsage.NONE).raw())
        .isCloseTo(after, within(after * 0.001));
  }

  @ParameterizedTest
  @CsvSource({
    "NO_FAIR_TREE,     1, 100,  0, 0.015625, 0.125",
    "NO_FAIR_TREE,     2, 100,  0, 0.125,    0.35355",
    "NO_FAIR_TREE,     1,   0,  0, 1,        1",
    "DEPTH_OBLIVIOUS,  1, 100,  0, 0.015625, 1",
    "DEPTH_OBLIVIOUS,  1,  75, 25, 0.04419,  0.13085",
  })
  void classicFairShareHalvesWithEachShareUsed(
      String flag, int dampening, double heavy, double light, double ofHeavy, double ofLight) {
    int a = account("a", 1, 1);
    account("b", 1, 1);
    int one = user("u1", "a", a, 1, heavy);
    int two = user("u2", "a", a, 1, light);
    UsageBook book =
        period(PriorityPolicy.defaults().withFlags(Set.of(flag)).withFairShareDampening(dampening));
    assertThat(factor(book, one)).isCloseTo(ofHeavy, within(1e-4));
    assertThat(factor(book, two)).isCloseTo(ofLight, within(1e-4));
  }

  @ParameterizedTest
  @CsvSource({
    "NONE,2026-11-29T12:00:00Z,2027-11-29T12:00:00Z,false",
    "DAILY,2026-11-29T12:00:00Z,2026-11-29T23:59:00Z,false",
    "DAILY,2026-11-29T12:00:00Z,2026-11-30T00:01:00Z,true",
    "WEEKLY,2026-11-29T12:00:00Z,2026-12-05T12:00:00Z,false",
    "WEEKLY,2026-11-29T12:00:00Z,2026-12-06T00:00:00Z,true",
    "MONTHLY,2026-11-29T12:00:00Z,2026-12-01T00:00:00Z,true",
    "QUARTERLY,2026-11-29T12:00:00Z,2026-12-31T00:00:00Z,false",
    "QUARTERLY,2026-11-29T12:00:00Z,2027-01-01T00:00:00Z,true",
    "YEARLY,2026-11-29T12:00:00Z,2027-01-01T00:00:00Z,true",
  })
  void usageBeginsAnewWhenThePeriodEnds(String period, Instant last, Instant now, boolean resets) {
    assertThat(UsagePeriod.resets(period, last, now, ZoneOffset.UTC)).isEqualTo(resets);
  }

  @ParameterizedTest
  @CsvSource({
    "DAILY,America/New_York,2026-11-30T04:58:00Z,2026-11-30T04:59:00Z,false",
    "DAILY,America/New_York,2026-11-30T04:59:00Z,2026-11-30T05:00:00Z,true",
    "DAILY,America/New_York,2026-11-29T23:59:00Z,2026-11-30T00:01:00Z,false",
    "DAILY,America/New_York,2026-07-01T03:59:00Z,2026-07-01T04:00:00Z,true",
    "WEEKLY,Asia/Tokyo,2026-12-05T14:59:00Z,2026-12-05T15:00:00Z,true",
    "MONTHLY,Asia/Tokyo,2026-11-30T14:59:00Z,2026-11-30T15:00:00Z,true",
    "QUARTERLY,Asia/Tokyo,2026-12-31T14:59:00Z,2026-12-31T15:00:00Z,true",
    "YEARLY,America/New_York,2027-01-01T00:00:00Z,2027-01-01T04:59:00Z,false",
    "NOW,UTC,2026-11-29T12:00:00Z,2027-11-29T12:00:00Z,false",
  })
  void aPeriodEndsAtMidnightOfTheCluster(
      String period, String zone, Instant last, Instant now, boolean resets) {
    assertThat(UsagePeriod.resets(period, last, now, ZoneId.of(zone))).isEqualTo(resets);
  }

  @Test
  void whatAQosWithNoDecayHasUsedIsNeverForgotten() {
    int a = account("a", 1, 1);
    int one = user("u1", "a", a, 1, 100);
    accounting =
        accounting.apply(
            AccountingChange.NONE.withQos(
                List.of(Qos.of(11, "fades"), Qos.of(12, "lasts").withFlags(Set.of("NoDecay")))));
    QosUsage some = new QosUsage(600, 60, new TreeMap<>());
    TreePMap<String, QosUsage> qos = TreePMap.<String, QosUsage>empty();
    UsageBook book =
        new UsageBook(TreePMap.from(used), qos.plus("fades", some).plus("lasts", some), T);
    PriorityPolicy policy = PriorityPolicy.defaults();
    Instant later = T.plusSeconds(7 * 86_400);
    UsageBook decayed = UsagePeriod.end(accounting, policy, book, List.of(), later, false);
    assertThat(decayed.ofQos("fades").raw()).isCloseTo(300, within(1.0));
    assertThat(decayed.ofQos("lasts")).isEqualTo(some);
    UsageBook anew = UsagePeriod.end(accounting, policy, book, List.of(), later, true);
    assertThat(anew.ofQos("fades").raw()).isZero();
    assertThat(anew.ofQos("lasts")).isEqualTo(some);
    assertThat(anew.associations().getOrDefault(one, AssociationUsage.NONE).raw()).isZero();
  }

  @Test
  void withDepthObliviousLevelsWithoutRivalsChangeNothing() {
    int a = account("a", 1, 1);
    int b = account("b", 1, 1);
    int deep = account("deep", a, 1);
    int deeper = account("deeper", deep, 1);
    int below = user("u1", "deeper", deeper, 1, 50);
    int above = user("u2", "b", b, 1, 50);
    UsageBook oblivious = period(PriorityPolicy.defaults().withFlags(Set.of("DEPTH_OBLIVIOUS")));
    assertThat(factor(oblivious, below)).isCloseTo(factor(oblivious, above), within(1e-9));
    // Both accounts used half, of a third of the shares: one third belongs to the user root.
    assertThat(factor(oblivious, below)).isCloseTo(Math.pow(2, -1.5), within(1e-9));
  }

  @Test
  void withDepthObliviousWhoUsedMoreOfTheSameSharesStandsLower() {
    int a = account("a", 1, 1);
    int heavy = user("u1", "a", a, 1, 75);
    int light = user("u2", "a", a, 1, 25);
    int idle = user("u3", "a", a, 1, 0);
    UsageBook book = period(PriorityPolicy.defaults().withFlags(Set.of("DEPTH_OBLIVIOUS")));
    assertThat(factor(book, heavy)).isLessThan(factor(book, light));
    assertThat(factor(book, light)).isLessThan(factor(book, idle));
    assertThat(factor(book, idle)).isEqualTo(1);
  }
}
