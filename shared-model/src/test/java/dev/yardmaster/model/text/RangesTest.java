package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.BitSet;
import java.util.Set;
import java.util.TreeSet;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.Size;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Number ranges, node counts, array tasks. */
class RangesTest {

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "0-2,5|0-2,5|4",
        "5,0-2|0-2,5|4",
        "0-15:2|0,2,4,6,8,10,12,14|8",
        "1-10:4|1,5,9|3",
        "3,3,3|3|1",
        "0-3,2-5|0-5|6",
        "1,2,3|1-3|3",
        "007|7|1",
        "5-5|5|1",
        "7-9:100|7|1",
        "0-1000000000|0-1000000000|1000000001",
      })
  void rangesAreASet(String text, String printed, int size) {
    IntRanges ranges = IntRanges.parse(text);
    assertThat(ranges).hasToString(printed);
    assertThat(ranges.size()).isEqualTo(size);
    assertThat(IntRanges.parse(printed)).isEqualTo(ranges).hasSameHashCodeAs(ranges);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "5-1|range 5-1 runs backwards at column 1; write 1-5",
        "1-3:0|step 0 never advances at column 5; use a step of 1 or more",
        "1,|nothing after \",\" at column 2; drop the last comma",
        "1,,2|expected a number, found \",\" at column 3; write a whole number",
        "a|expected a number, found \"a\" at column 1; write a whole number",
        "1-|expected the end of the range, found the end at column 3; write a whole number",
        "1 2|unexpected \" \" at column 2; write ranges as 0-2,5",
        "-1|expected a number, found \"-\" at column 1; write a whole number",
        "0-1000000000:2|range stands for too many numbers at column 1; use at most 4000001",
        "1000000001|a number 1000000001 is too large at column 1; use at most 1000000000",
      })
  void refusesWhatIsNoRange(String text, String message) {
    assertThatThrownBy(() -> IntRanges.parse(text))
        .isInstanceOf(NotationException.class)
        .hasMessage("range list \"" + text + "\": " + message);
  }

  @Property(tries = 500)
  void rangesBehaveAsASortedSet(
      @ForAll @Size(max = 40) Set<@IntRange(max = 60) Integer> members,
      @ForAll @IntRange(max = 61) int probe) {
    var sorted = new TreeSet<>(members);
    IntRanges ranges = IntRanges.of(members.stream().mapToInt(Integer::intValue).toArray());
    assertThat(ranges.stream().boxed().toList()).containsExactlyElementsOf(sorted);
    assertThat(ranges.size()).isEqualTo(sorted.size());
    assertThat(ranges.contains(probe)).isEqualTo(sorted.contains(probe));
    assertThat(ranges.first()).isEqualTo(sorted.isEmpty() ? -1 : sorted.first());
    assertThat(ranges.last()).isEqualTo(sorted.isEmpty() ? -1 : sorted.last());
    assertThat(IntRanges.parse(ranges.toString())).isEqualTo(ranges);
    IntRanges plus = ranges.plus(IntRanges.of(probe));
    assertThat(plus.contains(probe)).isTrue();
    sorted.remove(probe);
    assertThat(plus.without(probe).stream().boxed().toList()).containsExactlyElementsOf(sorted);
    var bits = new BitSet();
    members.forEach(bits::set);
    assertThat(IntRanges.of(bits)).isEqualTo(ranges);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "2|2|2|2",
        "2-4|2|4|2-4",
        "4,8,16|4|16|4,8,16",
        "1-16:2|1|15|1,3,5,7,9,11,13,15",
        "1-15:4|1|13|1,5,9,13",
        "1k|1024|1024|1024",
        "1-2k|1|2048|1-2048",
        "1m|1048576|1048576|1048576",
        "2-0|2|1000000000|2-0",
        "3-3|3|3|3",
        "2,3,4|2|4|2-4",
        "0|0|0|0",
      })
  void nodeCounts(String text, int min, int max, String printed) {
    NodeCount count = NodeCount.parse(text);
    assertThat(count.min()).isEqualTo(min);
    assertThat(count.max()).isEqualTo(max);
    assertThat(count).hasToString(printed);
    assertThat(NodeCount.parse(printed)).isEqualTo(count);
  }

  @Test
  void nodeCountsAllowOnlyTheirSizes() {
    assertThat(NodeCount.parse("4,8,16").allows(8)).isTrue();
    assertThat(NodeCount.parse("4,8,16").allows(9)).isFalse();
    assertThat(NodeCount.parse("2-4").allows(3)).isTrue();
    assertThat(NodeCount.parse("2-4").allows(5)).isFalse();
    assertThat(NodeCount.parse("2-0").allows(5000)).isTrue();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "abc|expected a node count, found \"a\" at column 1; write a whole number",
        "4-2|the largest count is below the smallest; write 2-4",
        "2-|expected the largest node count, found the end at column 3; write a whole number",
        "2x|unexpected \"x\" at column 2; write 2, 2-4, 4,8,16 or 1-16:2",
        "-2|expected a node count, found \"-\" at column 1; write a whole number",
        "4,|nothing after \",\" at column 2; drop the last comma",
        "9999m|a node count 9999m is too large at column 1; use at most 1000000000",
      })
  void refusesWhatIsNoNodeCount(String text, String message) {
    assertThatThrownBy(() -> NodeCount.parse(text))
        .isInstanceOf(NotationException.class)
        .hasMessage("node count \"" + text + "\": " + message);
  }

  @Property(tries = 300)
  void nodeCountsReadBack(
      @ForAll @IntRange(max = 100) int min,
      @ForAll @IntRange(max = 100) int more,
      @ForAll @Size(min = 1, max = 9) Set<@IntRange(max = 99) Integer> sizes) {
    NodeCount range = NodeCount.of(min, min + more);
    assertThat(NodeCount.parse(range.toString())).isEqualTo(range);
    String list = String.join(",", sizes.stream().map(String::valueOf).toList());
    NodeCount some = NodeCount.parse(list);
    assertThat(NodeCount.parse(some.toString())).isEqualTo(some);
    for (int nodes = 0; nodes < 101; nodes++) {
      assertThat(some.allows(nodes)).isEqualTo(sizes.contains(nodes));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "1-10:2%3,17|1,3,5,7,9,17%3|6|3",
        "0-999|0-999|1000|0",
        "1-100:4%10|1-97:4%10|25|10",
        "[1%1]|1%1|1|1",
        "[60-89,91-94,96-98]|60-89,91-94,96-98|37|0",
        "8,12,16,20%2|8,12,16,20%2|4|2",
        "0-20:4%2|0-20:4%2|6|2",
        "0,2,4,6,8,10|0,2,4,6,8,10|6|0",
        "1,1,1|1|1|0",
        "1-3%0|1-3|3|0",
        "3,5%2,9|3,5,9%2|3|2",
        "[1-3,5,...]|1-3,5|4|0",
        "1-3,5...%4|1-3%4|3|4",
      })
  void arraysCountTheirTasks(String text, String printed, int size, int throttle) {
    ArraySpec array = ArraySpec.parse(text);
    assertThat(array).hasToString(printed);
    assertThat(array.size()).isEqualTo(size);
    assertThat(array.throttle()).isEqualTo(throttle);
    assertThat(ArraySpec.parse(printed)).isEqualTo(array);
    assertThat(ArraySpec.parse(array.bracketed())).isEqualTo(array);
    assertThat(array.bracketed()).isEqualTo("[" + printed + "]");
  }

  @Test
  void arraysIterateTheirTasksInOrder() {
    assertThat(ArraySpec.parse("17,1-10:4%3").iterator()).toIterable().containsExactly(1, 5, 9, 17);
  }

  @Test
  void aLongArrayIsCutAsSlurmCutsIt() {
    ArraySpec array =
        ArraySpec.parse("1,3,6,10,15,21,28,36,45,55,66,78,91,105,120,136,153,171,190,210%5");
    assertThat(array.bracketed(64))
        .isEqualTo("[1,3,6,10,15,21,28,36,45,55,66,78,91,105,120,136,153,171,190,...%5]");
    assertThat(array.bracketed(0)).isEqualTo(array.bracketed());
    assertThat(ArraySpec.parse(array.bracketed(64)).tasks().last()).isEqualTo(190);
    assertThat(ArraySpec.parse("1-9").bracketed(64)).isEqualTo("[1-9]");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "|no task at column 1; write tasks as 0-9 or 1,3,7",
        "[]|no task at column 2; write tasks as 0-9 or 1,3,7",
        "%2|no task at column 1; write tasks as 0-9 or 1,3,7",
        "1-0|range 1-0 runs backwards at column 1; write 0-1",
        "1-3:0|step 0 never advances at column 5; use a step of 1 or more",
        "0-3%-1|expected the limit of tasks that run at once, found \"-\" at column 5; write a"
            + " whole number",
        "0-3%|expected the limit of tasks that run at once, found the end at column 5; write a"
            + " whole number",
        "0-3%1%2|a second limit at column 6; give one %limit for the whole array",
        "0-3%1,4%2|a second limit at column 8; give one %limit for the whole array",
        "0-3%1x|unexpected text after the limit, found \"x\" at column 6; write 0-9%2",
        "0-3%1,|nothing after \",\" at column 6; drop the last comma",
        "a|expected a number, found \"a\" at column 1; write a whole number",
        "4000001|a number 4000001 is too large at column 1; use at most 4000000",
        "...|no task at column 1; write tasks as 0-9 or 1,3,7",
      })
  void refusesWhatIsNoArray(String text, String message) {
    String input = text == null ? "" : text;
    assertThatThrownBy(() -> ArraySpec.parse(input))
        .isInstanceOf(NotationException.class)
        .hasMessage("array \"" + input + "\": " + message);
  }

  @Property(tries = 500)
  void arraysReadBack(
      @ForAll @Size(min = 1, max = 30) Set<@IntRange(max = 80) Integer> tasks,
      @ForAll @IntRange(max = 9) int throttle,
      @ForAll @IntRange(min = 1, max = 9) int step) {
    IntRanges some = IntRanges.of(tasks.stream().mapToInt(Integer::intValue).toArray());
    var array = new ArraySpec(some, throttle);
    assertThat(ArraySpec.parse(array.toString())).isEqualTo(array);
    ArraySpec stepped = ArraySpec.parse("0-" + 10 * step + ":" + step + "%" + throttle);
    assertThat(stepped.size()).isEqualTo(11);
    assertThat(ArraySpec.parse(stepped.toString())).isEqualTo(stepped);
  }
}
