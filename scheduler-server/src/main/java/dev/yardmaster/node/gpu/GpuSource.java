package dev.yardmaster.node.gpu;

import java.util.List;

/** A way to find the GPUs of a machine. */
interface GpuSource {
  /** As AutoDetect calls it: {@code nvml}, {@code nvidia} or {@code rsmi}. */
  String name();

  /**
   * The GPUs in the order of the PCI bus; none when there are none.
   *
   * @throws GpuException when there is no such driver, or it says what cannot be understood
   */
  List<Gpu> gpus() throws GpuException;
}
