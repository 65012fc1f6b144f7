package dev.yardmaster.engine;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.NodeSpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The nodes of a scenario, as its lines describe them. */
final class ScenarioNodes {
  private ScenarioNodes() {}

  static NodeSpec node(NodeSpec spec, List<String> words) {
    NodeSpec changed = spec;
    for (String word : words.subList(1, words.size())) {
      String value = word.substring(word.indexOf('=') + 1);
      changed =
          switch (word.substring(0, word.indexOf('='))) {
            case "state" -> changed.withState(value);
            case "weight" -> changed.withWeight(Integer.parseInt(value));
            case "features" -> changed.withFeatures(List.of(value.split(",")));
            case "tmp" -> changed.withTmpDiskMib(Long.parseLong(value));
            case "mem" -> changed.withRealMemoryMib(Long.parseLong(value));
            case "sockets" -> changed.withSockets(Integer.parseInt(value));
            case "cores" -> changed.withCoresPerSocket(Integer.parseInt(value));
            case "threads" -> changed.withThreadsPerCore(Integer.parseInt(value));
            case "cpus" -> changed.withCpus(Integer.parseInt(value));
            case "corespec" -> changed.withCoreSpecCount(Integer.parseInt(value));
            case "gpu" -> changed.withGres(gpus(value));
            case "shard", "mps" ->
                changed.withGres(
                    counted(
                        changed.gres(),
                        word.substring(0, word.indexOf('=')),
                        Long.parseLong(value)));
            case "gpulinks" -> changed.withGres(linked(changed.gres().getFirst(), value));
            case "gpucores" -> changed.withGres(near(changed.gres().getFirst(), value));
            default -> throw new IllegalArgumentException(word);
          };
    }
    return changed;
  }

  private static List<GresDevices> gpus(String value) {
    List<GresDevices> all = new ArrayList<>();
    int first = 0;
    for (String one : value.split(",")) {
      String[] parts = one.split(":");
      int count = Integer.parseInt(parts[1]);
      if (count > 0) {
        GresDevices devices = Lab.gpus(parts[0], count);
        all.add(
            new GresDevices("gpu", parts[0], count, first, devices.files(), List.of(), List.of()));
        first += count;
      }
    }
    return all;
  }

  private static List<GresDevices> counted(List<GresDevices> gpus, String name, long count) {
    List<GresDevices> all = new ArrayList<>(gpus);
    all.add(GresDevices.counted(name, null, count));
    return all;
  }

  private static List<GresDevices> near(GresDevices gpus, String value) {
    List<IndexSet> cores = Arrays.stream(value.split(",")).map(IndexSet::parse).toList();
    return List.of(
        new GresDevices(
            gpus.name(),
            gpus.type(),
            gpus.count(),
            gpus.firstIndex(),
            gpus.files(),
            cores,
            List.of()));
  }

  private static List<GresDevices> linked(GresDevices gpus, String value) {
    List<List<Integer>> rows = new ArrayList<>();
    for (String row : value.split("/")) {
      rows.add(Arrays.stream(row.split(",")).map(Integer::valueOf).toList());
    }
    return List.of(
        new GresDevices(
            gpus.name(),
            gpus.type(),
            gpus.count(),
            gpus.firstIndex(),
            gpus.files(),
            gpus.cores(),
            rows));
  }
}
