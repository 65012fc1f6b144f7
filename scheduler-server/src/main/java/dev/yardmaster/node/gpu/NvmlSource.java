package dev.yardmaster.node.gpu;

import dev.yardmaster.model.IndexSet;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Finds NVIDIA's GPUs, with their links and parts, by NVML (gres.conf(5), AutoDetect=nvml). */
final class NvmlSource implements GpuSource {
  private static final int PCI_BYTES = 68;
  private static final int PCI_ID_AT = 36;
  private static final int CPU_WORDS = 128;
  private static final int MOST_LINKS = 18;
  private static final int ATTRIBUTES_BYTES = 40;
  private static final long MIB_PER_GIB = 1024;

  /** Opens the library. */
  interface Library {
    Nvml open() throws GpuException;
  }

  private final Library library;
  private final Path root;

  /**
   * @param root of the file systems of the kernel, {@code /} but in tests
   */
  NvmlSource(Library library, Path root) {
    this.library = library;
    this.root = root;
  }

  @Override
  public String name() {
    return "nvml";
  }

  @Override
  public List<Gpu> gpus() throws GpuException {
    try (Nvml nvml = library.open()) {
      int count = nvml.count();
      List<String> buses = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        buses.add(bus(nvml, "nvmlDeviceGetPciInfo_v3", nvml.device(i)));
      }
      List<Gpu> found = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        find(nvml, i, buses, found);
      }
      return found;
    }
  }

  private void find(Nvml nvml, int index, List<String> buses, List<Gpu> found) throws GpuException {
    MemorySegment device = nvml.device(index);
    long minor = nvml.number("nvmlDeviceGetMinorNumber", device);
    if (minor < 0) {
      return;
    }
    Gpu gpu =
        new Gpu(
            index,
            Gpu.typeOf(nvml.text("nvmlDeviceGetName", device)),
            "/dev/nvidia" + minor,
            nvml.text("nvmlDeviceGetUUID", device),
            cpus(nvml, device),
            links(nvml, device, index, buses),
            false);
    List<Gpu> parts = isDivided(nvml, device) ? parts(nvml, device, gpu, minor) : List.of();
    if (parts.isEmpty()) {
      found.add(gpu);
    } else {
      found.addAll(parts);
    }
  }

  private static String bus(Nvml nvml, String function, Object... of) throws GpuException {
    MemorySegment pci = nvml.room(PCI_BYTES);
    Object[] arguments = new Object[of.length + 1];
    System.arraycopy(of, 0, arguments, 0, of.length);
    arguments[of.length] = pci;
    return nvml.call(function, arguments) == Nvml.SUCCESS
        ? pci.getString(PCI_ID_AT, StandardCharsets.US_ASCII).toLowerCase(Locale.ROOT)
        : "";
  }

  private static @Nullable IndexSet cpus(Nvml nvml, MemorySegment device) throws GpuException {
    MemorySegment set = nvml.room(CPU_WORDS * (long) Long.BYTES);
    if (nvml.call("nvmlDeviceGetCpuAffinity", device, CPU_WORDS, set) != Nvml.SUCCESS) {
      return null;
    }
    IndexSet cpus = IndexSet.of(BitSet.valueOf(set.toArray(ValueLayout.JAVA_LONG)));
    return cpus.isEmpty() ? null : cpus;
  }

  /** How many of the links of a GPU lead to each of the others; none leads to a switch. */
  private static List<Integer> links(Nvml nvml, MemorySegment device, int index, List<String> buses)
      throws GpuException {
    int[] counts = new int[buses.size()];
    MemorySegment active = nvml.room(Long.BYTES);
    for (int link = 0; link < MOST_LINKS; link++) {
      int result = nvml.call("nvmlDeviceGetNvLinkState", device, link, active);
      if (result != Nvml.SUCCESS) {
        break;
      }
      if (active.get(ValueLayout.JAVA_INT, 0) == 1) {
        int other = buses.indexOf(bus(nvml, "nvmlDeviceGetNvLinkRemotePciInfo_v2", device, link));
        if (other >= 0) {
          counts[other]++;
        }
      }
    }
    List<Integer> links = new ArrayList<>();
    for (int i = 0; i < counts.length; i++) {
      links.add(i == index ? -1 : counts[i]);
    }
    return links;
  }

  private static boolean isDivided(Nvml nvml, MemorySegment device) throws GpuException {
    MemorySegment now = nvml.room(Long.BYTES);
    MemorySegment later = nvml.room(Long.BYTES);
    return nvml.call("nvmlDeviceGetMigMode", device, now, later) == Nvml.SUCCESS
        && now.get(ValueLayout.JAVA_INT, 0) == 1;
  }

  private List<Gpu> parts(Nvml nvml, MemorySegment device, Gpu gpu, long minor)
      throws GpuException {
    List<Gpu> parts = new ArrayList<>();
    long most = nvml.number("nvmlDeviceGetMaxMigDeviceCount", device);
    MemorySegment handle = nvml.room(Long.BYTES);
    for (int i = 0; i < most; i++) {
      int result = nvml.call("nvmlDeviceGetMigDeviceHandleByIndex", device, i, handle);
      if (result != Nvml.SUCCESS) {
        break;
      }
      MemorySegment part = handle.get(ValueLayout.ADDRESS, 0);
      long instance = nvml.number("nvmlDeviceGetGpuInstanceId", part);
      long compute = nvml.number("nvmlDeviceGetComputeInstanceId", part);
      String files = gpu.file() + new MigMinors(root).files(minor, instance, compute);
      String type = gpu.type().replaceFirst("-.*", "") + profile(nvml, part);
      // A driver before 470.42.01 knows no UUIDs of parts.
      String uuid = nvml.text("nvmlDeviceGetUUID", part);
      String known =
          uuid.startsWith("MIG-") ? uuid : "MIG-" + gpu.uuid() + "/" + instance + "/" + compute;
      parts.add(new Gpu(gpu.index(), type, files, known, gpu.cpus(), null, true));
    }
    return parts;
  }

  /** {@code _1g.5gb}, from the name of the part or from how much it has. */
  private static String profile(Nvml nvml, MemorySegment part) throws GpuException {
    String name = Gpu.typeOf(nvml.text("nvmlDeviceGetName", part));
    int at = name.indexOf("mig_");
    if (at >= 0) {
      return name.substring(at + "mig".length());
    }
    MemorySegment attributes = nvml.room(ATTRIBUTES_BYTES);
    nvml.must("nvmlDeviceGetAttributes_v2", part, attributes);
    int slices = attributes.getAtIndex(ValueLayout.JAVA_INT, 6);
    int compute = attributes.getAtIndex(ValueLayout.JAVA_INT, 7);
    long mib = attributes.get(ValueLayout.JAVA_LONG, ATTRIBUTES_BYTES - Long.BYTES);
    return "_"
        + (compute == slices ? "" : compute + "c.")
        + slices
        + "g."
        + (mib + MIB_PER_GIB - 1) / MIB_PER_GIB
        + "gb";
  }
}
