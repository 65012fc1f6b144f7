package dev.yardmaster.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
  @ParameterizedTest
  @CsvSource({
    "head, head, 6817",
    "head:7000, head, 7000",
    "' head:7000 ', head, 7000",
    "10.0.0.1:1, 10.0.0.1, 1",
    "[fe80::1]:65535, fe80::1, 65535",
    "[fe80::1], fe80::1, 6817",
    "::1, ::1, 6817"
  })
  void isReadWithOrWithoutAPort(String text, String host, int port) {
    assertThat(Endpoint.parse(text)).isEqualTo(new Endpoint(host, port));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"", ":6817", "head:", "head:0", "head:65536", "head:x", "head:-1", "a b", "[]:1"})
  void whatIsNoneIsNamedWithWhatWouldBeRight(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Endpoint.parse(text))
        .withMessage("\"" + text + "\" is not HOST:PORT; write for example localhost:6817");
  }

  @ParameterizedTest
  @ValueSource(strings = {"head:7000", "[fe80::1]:7000"})
  void isPrintedAsItIsRead(String text) {
    assertThat(Endpoint.parse(text)).hasToString(text);
  }

  @Test
  void knowsThisMachine() {
    assertThat(new Endpoint("127.0.0.1", 1).isLoopback()).isTrue();
    assertThat(new Endpoint("::1", 1).isLoopback()).isTrue();
    assertThat(new Endpoint("192.0.2.1", 1).isLoopback()).isFalse();
  }
}
