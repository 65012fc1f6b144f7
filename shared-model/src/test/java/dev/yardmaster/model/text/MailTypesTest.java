package dev.yardmaster.model.text;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class MailTypesTest {
  @Test
  void eventsAreToldInSlurmsOrderAndWhatIsUnknownCountsForNothing() {
    assertThat(MailTypes.parse("time_limit_80,end,x,BEGIN"))
        .containsExactly("BEGIN", "END", "TIME_LIMIT_80");
    assertThat(MailTypes.parse("all"))
        .containsExactly("INVALID_DEPEND", "BEGIN", "END", "FAIL", "REQUEUE", "STAGE_OUT");
    assertThat(MailTypes.parse("END,none")).isEmpty();
    assertThat(MailTypes.parse("x,y")).isNull();
    assertThat(MailTypes.parse("")).isNull();
  }
}
