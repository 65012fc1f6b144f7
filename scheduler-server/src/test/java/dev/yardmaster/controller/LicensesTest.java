package dev.yardmaster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.SlurmError;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code --licenses}, of a cluster that has four licences "sim". */
class LicensesTest {
  private final Bench bench = Bench.ready();

  private JobRequest request(String licenses) {
    return bench.job(bench.submit("licenses=" + licenses)).request();
  }

  @Test
  void oneOfSeveralWillDo() {
    JobRequest any = request("sim:2|sim:1");
    assertThat(any.anyLicense()).isTrue();
    assertThat(any.licensesText()).isEqualTo("sim:2|sim:1");
    assertThat(request("sim:2,sim").anyLicense()).isFalse();
  }

  @Test
  void ofEachAreAsManyAsAllPartsSayTogether() {
    assertThat(request("sim;sim=1").licenses()).containsExactly(Map.entry("sim", 2));
    assertThat(request("sim:0").licenses()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(strings = {"sim|sim,sim", "sim|nix", "sim,sim:-1", "sim:two", "sim:5|sim", "si m"})
  void whatIsNoRequestIsRefused(String licenses) {
    Reply reply =
        bench.handle(
            new Command.Submit(TestCluster.ALICE, TestCluster.submission("licenses=" + licenses)));
    assertThat(Bench.error(reply)).isEqualTo(SlurmError.INVALID_LICENSES);
  }

  @Test
  void anotherRequestReplacesTheFormToo() {
    int id = bench.submit("licenses=sim:1|sim:2", "hold");
    bench.update(TestCluster.ALICE, id, "licenses=sim:3");
    assertThat(bench.job(id).request().anyLicense()).isFalse();
    assertThat(bench.job(id).request().licenses()).containsExactly(Map.entry("sim", 3));
  }
}
