package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SignalWordsTest {
  @ParameterizedTest
  @CsvSource({
    "9, RaisedSignal:9(Killed)",
    "11, RaisedSignal:11(Segmentation fault)",
    "53, RaisedSignal:53(Real-time signal 19)",
    "30, RaisedSignal:30"
  })
  void theReasonNamesTheSignal(int signal, String reason) {
    assertThat(SignalWords.raised(signal)).isEqualTo(reason);
  }
}
