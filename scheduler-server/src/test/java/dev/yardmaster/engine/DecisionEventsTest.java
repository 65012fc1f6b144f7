package dev.yardmaster.engine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.Immutable;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class DecisionEventsTest {
  @Test
  void aRequeuedJobStartsAgainAfterRequeueDelayElseWhenItsCredentialExpires() {
    assertThat(delay("", Map.of())).isEqualTo(121);
    assertThat(delay("socket=/run/x,cred_expire=30", Map.of())).isEqualTo(31);
    assertThat(delay("cred_expire=30", Map.of("requeue_delay", "5"))).isEqualTo(6);
    assertThat(delay("", Map.of("requeue_delay", "0"))).isEqualTo(1);
    assertThat(delay("", Map.of("requeue_delay", "soon"))).isEqualTo(121);
  }

  @Test
  void aRequeuedJobThatIsToBeginLaterKeepsItsTime() {
    Lab lab = lab("", Map.of());
    int id = lab.submit(JobSpec.job("later"));
    Instant later = lab.now().plusSeconds(1000);
    lab.edit(id, j -> j.with(b -> b.begin(later)));
    assertThat(DecisionEvents.startsAgain(lab.state().config(), lab.job(id), lab.now()))
        .isEqualTo(later);
  }

  private static long delay(String authInfo, Map<String, String> parameters) {
    Lab lab = lab(authInfo, parameters);
    int id = lab.submit(JobSpec.job("j"));
    Instant then = DecisionEvents.startsAgain(lab.state().config(), lab.job(id), lab.now());
    return Duration.between(lab.now(), then).toSeconds();
  }

  private static Lab lab(String authInfo, Map<String, String> parameters) {
    return Lab.with()
        .nodes("n1")
        .setting("AuthInfo", authInfo)
        .scheduling(s -> s.with(b -> b.parameters(Immutable.sortedMap(new TreeMap<>(parameters)))))
        .build();
  }
}
