package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Generic resources and trackable resources. */
class GresTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gpu|gpu||1|gpu:1",
        "gpu:2|gpu||2|gpu:2",
        "gpu:h100|gpu|h100|1|gpu:h100:1",
        "gpu:h100:4|gpu|h100|4|gpu:h100:4",
        "gres:gpu:2|gpu||2|gpu:2",
        "gres/gpu:h100:2|gpu|h100|2|gpu:h100:2",
        "gpu=2|gpu||2|gpu:2",
        "gpu:nvidia_geforce_rtx_2080_ti:1|gpu|nvidia_geforce_rtx_2080_ti|1|gpu:nvidia_geforce_rtx_2080_ti:1",
        "gpu:1g.10gb:4|gpu|1g.10gb|4|gpu:1g.10gb:4",
        "gpu:1g.10gb|gpu|1g.10gb|1|gpu:1g.10gb:1",
        "shard:5|shard||5|shard:5",
        "mps:50|mps||50|mps:50",
        "bandwidth:lustre:4G|bandwidth|lustre|4294967296|bandwidth:lustre:4294967296",
        "bandwidth:2k|bandwidth||2048|bandwidth:2048",
        "gpu:0|gpu||0|gpu:0",
        "craynetwork:2(CNT:2)|craynetwork||2|craynetwork:2",
      })
  void readsNodesAndRequests(String text, String name, String type, long count, String printed) {
    GresItem item = GresItem.parse(text);
    assertThat(item.name()).isEqualTo(name);
    assertThat(item.type()).isEqualTo(type);
    assertThat(item.count()).isEqualTo(count);
    assertThat(item.noConsume()).isFalse();
    assertThat(item).hasToString(printed);
    assertThat(GresItem.parse(printed)).isEqualTo(item);
  }

  @Test
  void socketsAreAHintAndNeverHideTheCount() {
    assertThat(GresItem.parse("gpu:8(S:0-3)"))
        .extracting(GresItem::count, GresItem::sockets)
        .containsExactly(8L, IntRanges.parse("0-3"));
    assertThat(GresItem.parse("gpu:a100:8(S:1,3,5,7)"))
        .hasToString("gpu:a100:8(S:1,3,5,7)")
        .extracting(GresItem::sockets)
        .isEqualTo(IntRanges.of(1, 3, 5, 7));
  }

  @Test
  void indicesAreTheDevicesInUse() {
    assertThat(GresItem.parse("gpu:k80:4(IDX:0-3)"))
        .extracting(GresItem::count, GresItem::indices)
        .containsExactly(4L, IntRanges.parse("0-3"));
    GresItem none = GresItem.parse("gpu:h100:0(IDX:N/A)");
    assertThat(none.indices()).isEqualTo(IntRanges.EMPTY);
    assertThat(none)
        .hasToString("gpu:h100:0(IDX:N/A)")
        .isEqualTo(GresItem.parse("gpu:h100:0(IDX:)"));
    assertThat(none.toJobDetail()).isEqualTo("gpu:h100:0(IDX:)");
    assertThat(GresItem.parse("gpu:h100:0").indices()).isNull();
    assertThat(GresItem.parse("gpu:h100:3(IDX:0-2,5)").toJobDetail())
        .isEqualTo("gpu:h100:3(IDX:0-2,5)");
  }

  @Test
  void sharedDevicesShowTheUseOfEach() {
    GresItem shard = GresItem.parse("shard:h100:5(4/4,1/4,0/4)");
    assertThat(shard.shares())
        .containsExactly(
            new GresItem.Share(4, 4), new GresItem.Share(1, 4), new GresItem.Share(0, 4));
    assertThat(shard).hasToString("shard:h100:5(4/4,1/4,0/4)");
  }

  @Test
  void noConsumeStandsBeforeTheCount() {
    GresItem item = GresItem.parse("bandwidth:lustre:no_consume:4G");
    assertThat(item.noConsume()).isTrue();
    assertThat(item.type()).isEqualTo("lustre");
    assertThat(item).hasToString("bandwidth:lustre:no_consume:4294967296");
    assertThat(GresItem.parse("nsight:no_consume:1")).hasToString("nsight:no_consume:1");
    assertThat(GresItem.parse("nsight:no_consume").count()).isEqualTo(1);
  }

  @Test
  void commasInParenthesesDoNotSplitTheList() {
    GresList list = GresList.parse("gpu:a100:4(S:1,3),gpu:h100:2(IDX:0-1,4),shard:8,gpu:a100:1");
    assertThat(list).hasSize(4);
    assertThat(list.count("gpu")).isEqualTo(7);
    assertThat(list.count("gpu", "a100")).isEqualTo(5);
    assertThat(list.count("mps")).isZero();
    assertThat(GresList.parse("gpu:2,gpu:h100:1").toRequest())
        .isEqualTo("gres/gpu:2,gres/gpu:h100:1");
  }

  @Test
  void freeIsConfiguredLessUsedEvenWhereTresKnowsNoGpu() {
    long free =
        GresList.parse("gpu:h100:8").count("gpu")
            - GresList.parse("gpu:h100:5(IDX:0-4)").count("gpu");
    assertThat(free).isEqualTo(3);
  }

  @Test
  void anUntypedRequestIsServedByEveryType() {
    GresItem offered = GresItem.parse("gpu:h100:8");
    assertThat(GresItem.parse("gpu:2").covers(offered)).isTrue();
    assertThat(GresItem.parse("gpu:h100:2").covers(offered)).isTrue();
    assertThat(GresItem.parse("gpu:a100:2").covers(offered)).isFalse();
    assertThat(GresItem.parse("mps:2").covers(offered)).isFalse();
  }

  @Test
  void nothingIsTheEmptyList() {
    assertThat(GresList.parse("")).isEmpty();
    assertThat(GresList.parse("(null)")).isEqualTo(GresList.EMPTY).hasToString("");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "gpu:|expected a name or count, found the end at column 5; write name[:type][:count], as"
            + " gpu:h100:4",
        "gpu::2|expected a name or count, found \":\" at column 5; write name[:type][:count], as"
            + " gpu:h100:4",
        "gpu:-1|negative count at column 5; use 0 or more",
        "gres|a word of the notation; name the resource",
        "gpu:2:3|two counts at column 1; write name[:type][:count], as gpu:h100:4",
        "gpu:a:b|count is not a number at column 1; write name[:type][:count], as gpu:h100:4",
        "gpu:a:b:2|too many parts at column 1; write name[:type][:count], as gpu:h100:4",
        "gpu:2,|nothing after \",\" at column 6; drop the last comma",
        ",gpu:2|expected a name or count, found \",\" at column 1; write name[:type][:count], as"
            + " gpu:h100:4",
        "gpu:2 gpu:3|unexpected \" \" at column 6; write name[:type][:count], as" + " gpu:h100:4",
        "gpu:2(S:0|unmatched \"(\" at column 6; close it with \")\"",
        "gpu:2(X:0)|unknown parenthesis at column 6; write (S:0-1) for sockets or (IDX:0-3) for"
            + " devices",
        "gpu:2(IDX:3-1)|range 3-1 runs backwards at column 11; write 1-3",
        "shard:2(1/4,2)|expected \"/\", found \")\" at column 14; write used/total, as (1/4,0/4)",
        "gpu:99999999999999999999|count 99999999999999999999 is too large at column 5; use at most"
            + " 1152921504606846976",
        "gpu:2000p|count 2000p is too large at column 5; use at most 1152921504606846976",
      })
  void refusesWithTheColumn(String text, String message) {
    assertThatThrownBy(() -> GresList.parse(text))
        .isInstanceOf(NotationException.class)
        .hasMessage("gres \"" + text + "\": " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cpu=1,mem=1000M,node=1,billing=1,gres/gpu=2,gres/gpu:h100=2,license/x=1|cpu=1,mem=1000M,node=1,billing=1,gres/gpu=2,gres/gpu:h100=2,license/x=1",
        "gres/gpu=8,billing=16,node=1,cpu=16,mem=64000|cpu=16,mem=62.50G,node=1,billing=16,gres/gpu=8",
        "mem=62.50G|mem=62.50G",
        "cpu=-1|cpu=-1",
        "mem=-1|mem=-1",
        "mem=0|mem=0",
        "billing=2k|billing=2048",
        "gres/shard:1|gres/shard=1",
        "cpu=40,gres/gpfs:ess:1|cpu=40,gres/gpfs:ess=1",
        "energy=5,pages=1,vmem=2,fs/disk=3|energy=5,fs/disk=3,vmem=2,pages=1",
        "license/ansys@db=2|license/ansys@db=2",
      })
  void tresListsPrintInSlurmsOrder(String text, String printed) {
    TresList list = TresList.parse(text);
    assertThat(list).hasToString(printed);
    assertThat(TresList.parse(printed)).isEqualTo(list);
  }

  @Test
  void gpusAreNotCountedTwiceWhenBothFormsStand() {
    assertThat(TresList.parse("cpu=4,gres/gpu:nvidia_geforce_rtx_2080_ti=1,mem=8G").gres("gpu"))
        .isEqualTo(1);
    assertThat(TresList.parse("gres/gpu=4,gres/gpu:h100=1,gres/gpu:a100=2").gres("gpu"))
        .isEqualTo(4);
    assertThat(TresList.parse("gres/gpu:h100=1,gres/gpu:a100=2").gres("gpu")).isEqualTo(3);
    assertThat(TresList.parse("cpu=1").gres("gpu")).isZero();
    assertThat(TresList.parse("mem=8G").get("mem")).isEqualTo(8192);
    assertThat(TresList.parse("(null)")).isEqualTo(TresList.EMPTY).hasToString("");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "cpu|cpu without an amount at column 4; write cpu=1",
        "cpu=|expected an amount of cpu, found the end at column 5; write a whole number",
        "=1|no name at column 1; write name=amount, as cpu=4",
        "cpu=1,|no name at column 7; write name=amount, as cpu=4",
        "cpu=1,cpu=2|cpu twice at column 7; give it once",
        "cpu=1 mem=2|unexpected \" \" at column 6; write name=amount,name=amount",
        "mem=4X|unknown unit \"X\" at column 6; write a whole number with an optional K, M, G, T or"
            + " P",
        "c pu=1|not a name at column 1; write name=amount, as cpu=4",
        "cpu=-2|expected an amount of cpu, found \"-\" at column 5; write a whole number",
      })
  void refusesWhatIsNoTresList(String text, String message) {
    assertThatThrownBy(() -> TresList.parse(text))
        .isInstanceOf(NotationException.class)
        .hasMessage("tres \"" + text + "\": " + message);
  }

  @Property(tries = 500)
  void gresReadsBack(@ForAll("gres") List<GresItem> items) {
    var list = new GresList(items);
    assertThat(GresList.parse(list.toString())).isEqualTo(list);
    String detail = String.join(",", items.stream().map(GresItem::toJobDetail).toList());
    assertThat(GresList.parse(detail)).isEqualTo(list);
  }

  @Property(tries = 500)
  void tresReadsBack(@ForAll("tres") java.util.Map<String, Long> amounts) {
    var list = new TresList(amounts);
    assertThat(list.amounts()).isEqualTo(amounts);
    assertThat(TresList.parse(list.toString())).isEqualTo(list).hasToString(list.toString());
  }

  @Provide
  Arbitrary<List<GresItem>> gres() {
    Arbitrary<IntRanges> ranges =
        Arbitraries.integers()
            .between(0, 12)
            .set()
            .ofMaxSize(6)
            .map(s -> IntRanges.of(s.stream().mapToInt(Integer::intValue).toArray()));
    Arbitrary<List<GresItem.Share>> shares =
        Combinators.combine(Arbitraries.longs().between(0, 9), Arbitraries.longs().between(0, 9))
            .as(GresItem.Share::new)
            .list()
            .ofMaxSize(3);
    return Combinators.combine(
            Arbitraries.of("gpu", "shard", "mps", "band-width", "x_1"),
            Arbitraries.of("h100", "a100", "1g.10gb", "2", "3k")
                .filter(t -> !Units.isCount(t))
                .injectNull(0.4),
            Arbitraries.longs().between(0, Units.MAX),
            Arbitraries.of(true, false),
            ranges.filter(r -> !r.isEmpty()).injectNull(0.5),
            ranges.injectNull(0.5),
            shares)
        .as(GresItem::new)
        .list()
        .ofMaxSize(4);
  }

  @Provide
  Arbitrary<java.util.Map<String, Long>> tres() {
    return Arbitraries.maps(
            Arbitraries.of(
                "cpu",
                "mem",
                "energy",
                "node",
                "billing",
                "fs/disk",
                "vmem",
                "pages",
                "gres/gpu",
                "gres/gpu:h100",
                "gres/gpu:1g.10gb",
                "license/x",
                "bb/datawarp"),
            Arbitraries.longs().between(-1, Memory.MAX_MIB))
        .ofMaxSize(8);
  }
}
