package dev.yardmaster.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import org.junit.jupiter.api.Test;

class OutlookTest {
  @Test
  void whoIsLookedAtStartsWhenAllAreLookedAt() {
    Lab lab = Lab.sixNodes();
    lab.submit(JobSpec.job("runs").nodes(6).exclusive().minutes(60));
    lab.pass();
    for (int i = 0; i < 400; i++) {
      lab.submit(JobSpec.job("waits").nodes(1 + i % 4).exclusive().minutes(10 + i % 8));
    }
    lab.pass();
    Outlook all = Outlook.of(lab.state(), lab.now(), Outlook.HORIZON);
    Outlook some = Outlook.of(lab.state(), lab.now(), Outlook.HORIZON, new Foresight(), 5);
    assertThat(all.starts()).hasSize(400);
    assertThat(some.starts()).hasSize(5);
    for (int id : some.starts().keySet()) {
      assertThat(some.start(id)).as("job %s", id).isEqualTo(all.start(id));
    }
  }
}
