package dev.yardmaster.engine;

import static dev.yardmaster.engine.JobSpec.job;
import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;

/** The plan of a busy cluster: what starts past whom, and who is planned where and when. */
class ForecastCaseTest {
  @Test
  void plannedJobsTakeWholeNodesAndLowerOnesStartOnlyWhereTheyDelayNobody() {
    Lab lab = Lab.sixNodes();
    int r1 = lab.submit(job("r1").nodes(2).on("n[1-2]").exclusive().minutes(30));
    int r2 = lab.submit(job("r2").nodes(2).on("n[3-4]").exclusive().minutes(60));
    lab.pass();
    assertThat(lab.show(r1)).isEqualTo("R n[1-2]");
    assertThat(lab.show(r2)).isEqualTo("R n[3-4]");
    lab.advance(Lab.START.plus(Duration.ofSeconds(3)));
    int big4 = lab.submit(job("big4").user("bob").nodes(4).exclusive().minutes(60));
    int bf20 = lab.submit(job("bf20").user("carol").nodes(1).exclusive().minutes(20));
    int nobf40 = lab.submit(job("nobf40").user("carol").nodes(1).exclusive().minutes(40));
    int bf29 = lab.submit(job("bf29").user("dave").nodes(1).exclusive().minutes(29));
    int full6 = lab.submit(job("full6").user("dave").nodes(6).exclusive().minutes(10));
    int small1 = lab.submit(job("small1").user("erin").tasks(1).minutes(5));
    int small2 = lab.submit(job("small2").user("erin").tasks(1).minutes(120));
    lab.pass();
    assertThat(lab.show(bf20)).isEqualTo("R n5");
    assertThat(lab.show(nobf40)).isEqualTo("R n6");
    assertThat(lab.show(full6)).isEqualTo("PD Resources 60.0 n[1-6]");
    assertThat(lab.show(big4)).isEqualTo("PD Priority 70.0 n[1-4]");
    assertThat(lab.show(bf29)).isEqualTo("PD Priority 20.1 n5");
    assertThat(lab.show(small1)).isEqualTo("PD Priority 30.0 n1");
    assertThat(lab.show(small2)).isEqualTo("PD Priority 70.0 n5");

    lab.edit(big4, j -> j.withTimeLimitMinutes(120));
    lab.edit(big4, j -> j.withDirectPriority(1666L));
    lab.advanceMinutes(0.15);
    lab.pass();
    assertThat(lab.show(big4)).isEqualTo("PD Resources 40.1 n[1-2,5-6]");
    assertThat(lab.show(bf29)).isEqualTo("PD Priority 60.0 n3");
    assertThat(lab.show(full6)).isEqualTo("PD Priority 161.0 n[1-6]");
    assertThat(lab.show(small1)).isEqualTo("PD Priority 20.1 n5");
    assertThat(lab.show(small2)).isEqualTo("PD Priority 171.0 n1");

    lab.edit(r1, j -> j.with(b -> b.timeLimitMinutes(10).ended(Lab.at(10))));
    lab.pass();
    assertThat(lab.show(bf29)).isEqualTo("PD Priority 10.0 n1");
    assertThat(lab.show(small1)).isEqualTo("PD Priority 10.0 n2");
    assertThat(lab.show(small2)).isEqualTo("PD Priority 171.0 n1");
  }
}
