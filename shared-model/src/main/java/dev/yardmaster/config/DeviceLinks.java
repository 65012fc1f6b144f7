package dev.yardmaster.config;

import dev.yardmaster.model.GresDevices;
import java.util.ArrayList;
import java.util.List;

/** Completes the links between the devices of a node. */
final class DeviceLinks {
  private static final int MOST = 1024;

  private DeviceLinks() {}

  /** Fills in what links leave open: none to another device, -1 to itself. */
  static List<GresDevices> completed(List<GresDevices> devices) {
    List<GresDevices> result = new ArrayList<>();
    for (GresDevices d : devices) {
      if (d.links().isEmpty()) {
        result.add(d);
        continue;
      }
      long all =
          devices.stream()
              .filter(o -> o.name().equals(d.name()))
              .mapToLong(GresDevices::count)
              .sum();
      List<List<Integer>> links = new ArrayList<>();
      for (int i = 0; i < d.count() && i < MOST; i++) {
        List<Integer> given = i < d.links().size() ? d.links().get(i) : List.of();
        List<Integer> row = new ArrayList<>();
        for (int j = 0; j < all && j < MOST; j++) {
          row.add(j < given.size() ? given.get(j) : j == d.firstIndex() + i ? -1 : 0);
        }
        links.add(row);
      }
      result.add(
          new GresDevices(
              d.name(),
              d.type(),
              d.count(),
              d.firstIndex(),
              d.files(),
              d.cores(),
              links,
              d.countOnly()));
    }
    return List.copyOf(result);
  }
}
