package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.model.text.Memory.Per;
import dev.yardmaster.model.text.Memory.ReqMem;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class MemoryTest {

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "4096, 4096",
    "4096M, 4096",
    "4G, 4096",
    "4g, 4096",
    "48G, 49152",
    "4GB, 4096",
    "2T, 2097152",
    "1P, 1073741824",
    "1K, 1",
    "1024k, 1",
    "1025K, 2",
    "0K, 0",
    "1048576P, 1125899906842624",
  })
  void readsRequestsAsMebibytes(String text, long mib) {
    assertThat(Memory.parse(text)).isEqualTo(mib);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "abc|expected a number, found \"a\" at column 1; write a whole number with an optional K,"
            + " M, G, T or P",
        "|expected a number, found the end at column 1; write a whole number with an optional K, M,"
            + " G, T or P",
        "-1|expected a number, found \"-\" at column 1; write a whole number with an optional K, M,"
            + " G, T or P",
        "4X|unknown unit \"X\" at column 2; write a whole number with an optional K, M, G, T or P",
        "4Gi|unexpected text after the unit at column 3; write a whole number with an optional K,"
            + " M, G, T or P",
        "4 G|unknown unit \" G\" at column 2; write a whole number with an optional K, M, G, T or"
            + " P",
        "4Mc|unexpected text after the unit at column 3; write a whole number with an optional K,"
            + " M, G, T or P",
        "1.5G|a fraction at column 2; write a whole number in a smaller unit, as 1536M for 1.5G",
        "9999999999999P|amount is too large at column 1; use at most 1048576P",
        "9999999999999999999|amount 9999999999999999999 is too large at column 1; use at most"
            + " 1125899906842624",
      })
  void refusesWhatIsNoRequest(String text, String message) {
    String input = text == null ? "" : text;
    assertThatThrownBy(() -> Memory.parse(input))
        .isInstanceOf(NotationException.class)
        .hasMessage("memory \"" + input + "\": " + message);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0",
    "1000, 1000M",
    "1024, 1G",
    "1536, 1.50G",
    "2000, 2000M",
    "3500, 3500M",
    "48000, 48000M",
    "64000, 62.50G",
    "128000, 125G",
    "256000, 250G",
    "2000000, 2000000M",
    "1022976, 999G",
    "1572864, 1.50T",
    "1049088, 1024.50G",
    "1073741824, 1P",
    "1125899906842624, 1048576P",
  })
  void printsInTheLargestUnitThatIsExactToAHalf(long mib, String text) {
    assertThat(Memory.format(mib)).isEqualTo(text);
  }

  @ParameterizedTest
  @CsvSource({
    "62.50G, 64000",
    "0.5K, 1",
    "1.50T, 1572864",
    "12.34M, 13",
    "1024.50G, 1049088",
    "4G, 4096"
  })
  void readsFractionsThatACommandPrinted(String text, long mib) {
    assertThat(Memory.parseReported(text)).isEqualTo(mib);
  }

  @ParameterizedTest
  @CsvSource({
    "0c, 0, CPU",
    "0n, 0, NODE",
    "1Mc, 1, CPU",
    "1Mn, 1, NODE",
    "48G, 49152, UNSAID",
    "48Gn, 49152, NODE",
    "2.50Gc, 2560, CPU",
    "512, 512, UNSAID",
    "100Kc, 1, CPU",
    "9223372036854779904, 4096, CPU",
    "9223372036854775808, 0, CPU",
  })
  void readsTheOlderReqMemWithItsSuffix(String text, long mib, Per per) {
    assertThat(Memory.parseReqMem(text)).isEqualTo(new ReqMem(mib, per));
  }

  @ParameterizedTest
  @CsvSource({"c", "n", "''", "Gc", "1cc", "1Mx", "1Mcn"})
  void refusesASuffixWithoutAnAmount(String text) {
    assertThatThrownBy(() -> Memory.parseReqMem(text)).isInstanceOf(NotationException.class);
  }

  @Property(tries = 1000)
  void aPrintedAmountReadsBack(@ForAll @LongRange(min = 0, max = Memory.MAX_MIB) long mib) {
    assertThat(Memory.parseReported(Memory.format(mib))).isEqualTo(mib);
  }

  @Property(tries = 1000)
  void aPrintedAmountOfWholeHalvesReadsBack(
      @ForAll @LongRange(min = 0, max = 1L << 40) long halves) {
    assertThat(Memory.parseReported(Memory.format(halves * 512))).isEqualTo(halves * 512);
    for (Per per : Per.values()) {
      ReqMem reqMem = new ReqMem(halves, per);
      assertThat(Memory.parseReqMem(reqMem.toString())).isEqualTo(reqMem);
    }
  }
}
