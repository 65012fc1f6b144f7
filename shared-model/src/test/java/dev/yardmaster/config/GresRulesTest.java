package dev.yardmaster.config;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class GresRulesTest {
  @TempDir Path folder;

  private GresRules rules(String node, String text) throws Exception {
    Files.writeString(folder.resolve("gres.conf"), text);
    return GresRules.of(folder, "lab", node);
  }

  @Test
  void aFileThatIsNotThereSaysNothing() {
    assertThat(GresRules.of(folder, "lab", "n1")).isEqualTo(new GresRules("", Set.of()));
  }

  @Test
  void whatIsSaidForTheNodeGoesBeforeWhatIsSaidForAll() throws Exception {
    String text =
        "AutoDetect=nvml\nNodeName=n2 AutoDetect=off Name=gpu File=/dev/nvidia[0-3]\n"
            + "NodeName=n3 AutoDetect=rsmi\n";
    assertThat(rules("n1", text).autoDetect()).isEqualTo("nvml");
    assertThat(rules("n2", text).autoDetect()).isEqualTo("off");
    assertThat(rules("n3", text).autoDetect()).isEqualTo("rsmi");
  }

  @Test
  void flagsAreThoseOfItsGpus() throws Exception {
    String text =
        "NodeName=n1 Name=gpu File=/dev/nvidia0 Flags=nvidia_gpu_env,env_uuid\n"
            + "NodeName=n2 Name=gpu File=/dev/nvidia0 Flags=no_gpu_env\n"
            + "NodeName=n1 Name=shard Count=8 Flags=one_sharing\n";
    assertThat(rules("n1", text).gpuFlags()).containsOnly("nvidia_gpu_env", "env_uuid");
    assertThat(rules("n2", text).gpuFlags()).containsOnly("no_gpu_env");
    assertThat(rules("n3", text).gpuFlags()).isEmpty();
  }
}
