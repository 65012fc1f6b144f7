package dev.yardmaster.engine.place;

import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.NodeShare;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What is taken on each node, in flat arrays. The one mutable thing of a pass; a {@link #copy} is a
 * fork.
 */
public final class Usage {
  private static final int NOBODY = -1;
  private static final long[] NO_WORDS = {};

  final Hardware hardware;
  final long[] busyCores;
  final long[] memoryUsed;
  final int[] jobs;

  /** The user whose jobs alone are on the node; {@link #NOBODY} without jobs, -2 for several. */
  final int[] user;

  /** How many jobs of the node want it for their user alone. */
  final int[] userOnly;

  private int userOnlyJobs;
  final long[][] deviceMask;
  final long[][] gresUsed;

  /** GPUs of the node that are in use by sharers (shard, mps), by their index on the node. */
  final long[] sharedGpus;

  /** By kind, node and GPU, how much of a sharing resource is used; empty for other kinds. */
  private final int[][] sharedUsed;

  /** By partition that limits CPUs, the cores that its jobs use, as {@link #busyCores}. */
  private final TreeMap<String, long[]> limitedCores = new TreeMap<>();

  /** How many jobs share each core, and of which partition; null while none does. */
  private byte @Nullable [] sharers;

  private @Nullable String @Nullable [] sharedBy;

  final MoreHolders again;

  private Usage(Hardware hardware) {
    this.hardware = hardware;
    int size = hardware.size;
    busyCores = new long[size * hardware.coreWords];
    memoryUsed = new long[size];
    jobs = new int[size];
    user = new int[size];
    userOnly = new int[size];
    java.util.Arrays.fill(user, NOBODY);
    deviceMask = new long[hardware.kinds.size()][size];
    gresUsed = new long[hardware.kinds.size()][size];
    sharedGpus = new long[size];
    again = new MoreHolders(busyCores.length, size);
    sharedUsed = new int[hardware.kinds.size()][];
    for (int k = 0; k < sharedUsed.length; k++) {
      sharedUsed[k] = new int[hardware.kinds.get(k).sharing() ? size << 6 : 0];
    }
  }

  private Usage(Usage from) {
    hardware = from.hardware;
    busyCores = from.busyCores.clone();
    memoryUsed = from.memoryUsed.clone();
    jobs = from.jobs.clone();
    user = from.user.clone();
    userOnly = from.userOnly.clone();
    userOnlyJobs = from.userOnlyJobs;
    deviceMask = deepClone(from.deviceMask);
    gresUsed = deepClone(from.gresUsed);
    sharedGpus = from.sharedGpus.clone();
    sharedUsed = from.sharedUsed.clone();
    for (int k = 0; k < sharedUsed.length; k++) {
      sharedUsed[k] = sharedUsed[k].clone();
    }
    from.limitedCores.forEach((name, cores) -> limitedCores.put(name, cores.clone()));
    sharers = from.sharers == null ? null : from.sharers.clone();
    sharedBy = from.sharedBy == null ? null : from.sharedBy.clone();
    again = from.again.copy();
  }

  private static long[][] deepClone(long[][] from) {
    long[][] copy = from.clone();
    for (int i = 0; i < copy.length; i++) {
      copy[i] = copy[i].clone();
    }
    return copy;
  }

  /** Nothing is taken. */
  public static Usage none(Hardware hardware) {
    return new Usage(hardware);
  }

  public Usage copy() {
    return new Usage(this);
  }

  /** Whether some job keeps a node for its user alone. */
  public boolean hasUserOnly() {
    return userOnlyJobs > 0;
  }

  /** Whether generic resources of a node are held: jobs that are stopped keep theirs. */
  boolean holdsGres(int node) {
    for (long[] used : gresUsed) {
      if (used[node] > 0) {
        return true;
      }
    }
    return false;
  }

  public int jobsOn(int node) {
    return jobs[node];
  }

  /** Takes what a job holds. Nodes that no longer exist are skipped. */
  public void add(Allocation allocation, int uid, Manner manner) {
    again.block(allocation, hardware, 1);
    for (NodeShare share : allocation.shares()) {
      int node = hardware.indexOf(share.node());
      if (node >= 0) {
        add(node, share, uid, manner);
      }
    }
  }

  /** A job begins (1) or ends (-1) to keep a node from all others. */
  public void block(int node, int sign) {
    again.block(node, sign);
  }

  /** Gives back what a job holds. */
  public void remove(Allocation allocation, Manner manner) {
    again.block(allocation, hardware, -1);
    for (NodeShare share : allocation.shares()) {
      int node = hardware.indexOf(share.node());
      if (node >= 0) {
        remove(node, share, manner);
      }
    }
  }

  public void add(int node, NodeShare share, int uid, Manner manner) {
    if (manner.stopped()) {
      holdStopped(node, share, 1);
      return;
    }
    mark(node, share.cores(), true, manner);
    memoryUsed[node] += share.memoryMib();
    user[node] = jobs[node] == 0 || user[node] == uid ? uid : -2;
    jobs[node]++;
    userOnly[node] += manner.userAlone() ? 1 : 0;
    userOnlyJobs += manner.userAlone() ? 1 : 0;
    for (GresShare gres : share.gres()) {
      change(node, gres, 1);
    }
  }

  /** A suspended job keeps its memory and its devices. */
  private void holdStopped(int node, NodeShare share, int sign) {
    memoryUsed[node] += sign * share.memoryMib();
    for (GresShare gres : share.gres()) {
      change(node, gres, sign);
    }
  }

  /** Devices that were taken several times, by jobs that follow each other, count once. */
  public void countDevicesOnce(int node) {
    for (int k = 0; k < gresUsed.length; k++) {
      if (hardware.hasIndices(k, node)) {
        gresUsed[k][node] = Long.bitCount(deviceMask[k][node]);
      }
    }
  }

  /** Counts more memory as taken, or less. */
  public void takeMemory(int node, long mib) {
    memoryUsed[node] += mib;
  }

  public void remove(int node, NodeShare share, Manner manner) {
    if (manner.stopped()) {
      holdStopped(node, share, -1);
      return;
    }
    mark(node, share.cores(), false, manner);
    memoryUsed[node] -= share.memoryMib();
    jobs[node]--;
    userOnly[node] -= manner.userAlone() ? 1 : 0;
    userOnlyJobs -= manner.userAlone() ? 1 : 0;
    if (jobs[node] == 0) {
      user[node] = NOBODY;
    }
    for (GresShare gres : share.gres()) {
      change(node, gres, -1);
    }
  }

  private void mark(int node, IndexSet cores, boolean busy, Manner manner) {
    if (manner.limited() != null) {
      markLimited(node, cores, busy, manner.limited());
    }
    if (manner.sharing() != null) {
      markShared(node, cores, busy, manner.sharing());
      return;
    }
    int base = node * hardware.coreWords;
    int words = Math.min(hardware.coreWords, cores.wordCount());
    for (int w = 0; w < words; w++) {
      long own = cores.word(w);
      if (busy) {
        again.add(base + w, busyCores[base + w] & own);
        busyCores[base + w] |= own;
      } else {
        busyCores[base + w] &= ~own | again.take(base + w, own);
      }
    }
  }

  private void markLimited(int node, IndexSet cores, boolean busy, String partition) {
    long[] used = limitedCores.computeIfAbsent(partition, p -> new long[busyCores.length]);
    int base = node * hardware.coreWords;
    for (int w = 0; w < Math.min(hardware.coreWords, cores.wordCount()); w++) {
      used[base + w] = busy ? used[base + w] | cores.word(w) : used[base + w] & ~cores.word(w);
    }
  }

  /** CPUs that the jobs of a limited partition use on one socket. */
  int limitedCpus(int node, int socket, CpuLimit limit) {
    long[] cores = limitedCores.get(limit.partition());
    int used = 0;
    int first = socket * hardware.coresPerSocket[node];
    for (int c = first; cores != null && c < first + hardware.coresPerSocket[node]; c++) {
      long word = cores[node * hardware.coreWords + (c >> 6)];
      used += (word & 1L << c) != 0 ? hardware.cpusPerCore[node] : 0;
    }
    return used;
  }

  private void markShared(int node, IndexSet cores, boolean busy, String partition) {
    byte[] counts = sharers;
    @Nullable String[] owners = sharedBy;
    if (counts == null || owners == null) {
      counts = new byte[busyCores.length << 6];
      owners = new String[counts.length];
      sharers = counts;
      sharedBy = owners;
    }
    int base = node * hardware.coreWords;
    int words = Math.min(hardware.coreWords, cores.wordCount());
    for (int w = 0; w < words; w++) {
      for (long left = cores.word(w); left != 0; left &= left - 1) {
        int at = (base + w << 6) + Long.numberOfTrailingZeros(left);
        if (busy && counts[at] == 0) {
          again.add(base + w, busyCores[base + w] & 1L << at);
        }
        counts[at] += (byte) (busy ? 1 : -1);
        owners[at] = counts[at] == 0 ? null : partition;
        if (counts[at] == 0) {
          busyCores[base + w] &= ~(1L << at) | again.take(base + w, 1L << at);
        } else {
          busyCores[base + w] |= 1L << at;
        }
      }
    }
  }

  /** Busy cores of a word that a sharer may use as well. */
  private long shareable(int word, @Nullable Sharer sharer) {
    byte[] counts = sharers;
    @Nullable String[] owners = sharedBy;
    if (sharer == null || counts == null || owners == null) {
      return 0;
    }
    long set = 0;
    for (long left = busyCores[word]; left != 0; left &= left - 1) {
      int at = (word << 6) + Long.numberOfTrailingZeros(left);
      boolean open = counts[at] > 0 && counts[at] < sharer.most();
      set |= open && sharer.partition().equals(owners[at]) ? 1L << at : 0;
    }
    return set;
  }

  private void change(int node, GresShare share, int sign) {
    int kind = hardware.kindOf(share);
    if (kind < 0) {
      return;
    }
    gresUsed[kind][node] += sign * share.count();
    if (hardware.kinds.get(kind).sharing()) {
      changeShared(kind, node, share, sign);
      return;
    }
    GresDevices devices = hardware.devices[kind][node];
    for (int w = 0; w < share.devices().wordCount(); w++) {
      for (long left = share.devices().word(w); left != 0; left &= left - 1) {
        long bit = 1L << (w << 6) + Long.numberOfTrailingZeros(left) - devices.firstIndex();
        deviceMask[kind][node] =
            sign > 0 ? deviceMask[kind][node] | bit : deviceMask[kind][node] & ~bit;
      }
    }
  }

  private void changeShared(int kind, int node, GresShare share, int sign) {
    int gpu = share.devices().toBitSet().nextSetBit(0);
    if (gpu >= 0 && gpu < 64) {
      sharedUsed[kind][(node << 6) + gpu] += (int) (sign * share.count());
      boolean used = false;
      for (int[] all : sharedUsed) {
        used |= all.length > 0 && all[(node << 6) + gpu] > 0;
      }
      sharedGpus[node] = used ? sharedGpus[node] | 1L << gpu : sharedGpus[node] & ~(1L << gpu);
    }
  }

  /** How much of a sharing resource is free on one GPU: nothing while the GPU itself is taken. */
  long freeOn(int gpu, int kind, int node) {
    for (int k = 0; k < hardware.kinds.size(); k++) {
      int at = gpu - hardware.devices[k][node].firstIndex();
      boolean there = at >= 0 && at < hardware.devices[k][node].count();
      if (hardware.kinds.get(k).isGpu() && there && (deviceMask[k][node] & 1L << at) != 0) {
        return 0;
      }
    }
    return hardware.sharedLeft(gpu, kind, node, sharedUsed[kind]);
  }

  /** The most of a sharing resource that one job can get: of one GPU, or of all of them. */
  long freeShared(int kind, int node, boolean severalGpus) {
    long best = 0;
    long sum = 0;
    for (int gpu = 0; gpu < hardware.gpus(node); gpu++) {
      long free = freeOn(gpu, kind, node);
      sum += free;
      best = Math.max(best, free);
    }
    return severalGpus ? sum : best;
  }

  /** The devices of a kind that are taken or shared, the first of the kind being bit 0. */
  long takenDevices(int kind, int node) {
    long shared =
        hardware.kinds.get(kind).isGpu()
            ? sharedGpus[node] >>> hardware.devices[kind][node].firstIndex()
            : 0;
    return deviceMask[kind][node] | shared;
  }

  /** Counts cores as taken, whether or not they are. */
  public void keep(int node, IndexSet cores) {
    int base = node * hardware.coreWords;
    for (int w = 0; w < Math.min(hardware.coreWords, cores.wordCount()); w++) {
      busyCores[base + w] |= cores.word(w);
    }
  }

  /** Counts all cores but these as taken. */
  public void confine(int node, IndexSet cores) {
    int all = hardware.sockets[node] * hardware.coresPerSocket[node];
    keep(node, IndexSet.range(0, all - 1).andNot(cores));
  }

  /**
   * Counts more of a generic resource as taken, as far as there is any.
   *
   * @param tres its TRES name: {@code gres/gpu} for any type, {@code gres/gpu:h100} for one
   */
  public void keepGres(int node, String tres, long count) {
    long rest = count;
    for (int k = 0; k < hardware.kinds.size() && rest > 0; k++) {
      if (isKind(k, tres)) {
        long taken = Math.min(rest, Math.max(0, freeGres(k, node)));
        gresUsed[k][node] += taken;
        rest -= taken;
      }
    }
  }

  /** Leaves at most so much of a generic resource free; see {@link #keepGres}. */
  public void leaveGres(int node, String tres, long count) {
    long free = 0;
    for (int k = 0; k < hardware.kinds.size(); k++) {
      free += isKind(k, tres) ? Math.max(0, freeGres(k, node)) : 0;
    }
    keepGres(node, tres, free - count);
  }

  private boolean isKind(int kind, String tres) {
    Hardware.Kind k = hardware.kinds.get(kind);
    return tres.equals("gres/" + k.name()) || tres.equals("gres/" + k.text());
  }

  /** Makes one node's row equal to that of another usage of the same hardware. */
  public void copyRow(Usage from, int node) {
    int base = node * hardware.coreWords;
    System.arraycopy(from.busyCores, base, busyCores, base, hardware.coreWords);
    memoryUsed[node] = from.memoryUsed[node];
    jobs[node] = from.jobs[node];
    user[node] = from.user[node];
    userOnly[node] = from.userOnly[node];
    sharedGpus[node] = from.sharedGpus[node];
    for (int k = 0; k < deviceMask.length; k++) {
      deviceMask[k][node] = from.deviceMask[k][node];
      gresUsed[k][node] = from.gresUsed[k][node];
      if (sharedUsed[k].length > 0) {
        System.arraycopy(from.sharedUsed[k], node << 6, sharedUsed[k], node << 6, 64);
      }
    }
    copySharers(from, base);
    again.copyRow(from.again, node, base, hardware.coreWords);
    for (var limited : from.limitedCores.entrySet()) {
      long[] cores =
          limitedCores.computeIfAbsent(limited.getKey(), p -> new long[busyCores.length]);
      System.arraycopy(limited.getValue(), base, cores, base, hardware.coreWords);
    }
  }

  private void copySharers(Usage from, int base) {
    if (from.sharers == null || from.sharedBy == null) {
      sharers = null;
      sharedBy = null;
      return;
    }
    if (sharers == null || sharedBy == null) {
      sharers = from.sharers.clone();
      sharedBy = from.sharedBy.clone();
      return;
    }
    System.arraycopy(from.sharers, base << 6, sharers, base << 6, hardware.coreWords << 6);
    System.arraycopy(from.sharedBy, base << 6, sharedBy, base << 6, hardware.coreWords << 6);
  }

  /** Free cores of one socket, for a job that may share them or not. */
  int freeCores(int node, int socket, @Nullable Sharer sharer) {
    return freeCores(node, socket, NO_WORDS, sharer);
  }

  /** Free cores of one socket among some; among all when none are given. */
  int freeCores(int node, int socket, long[] among, @Nullable Sharer sharer) {
    int first = socket * hardware.coresPerSocket[node];
    int last = first + hardware.coresPerSocket[node] - 1;
    int free = 0;
    for (int w = first >> 6; w <= last >> 6; w++) {
      int word = node * hardware.coreWords + w;
      long mask = w == first >> 6 ? -1L << first : -1L;
      mask &= w == last >> 6 ? -1L >>> 63 - (last & 63) : -1L;
      mask &= among.length == 0 ? -1L : among[w];
      long busy = busyCores[word];
      busy &= sharer == null ? -1L : ~shareable(word, sharer);
      free += Long.bitCount(hardware.usableCores[word] & ~busy & mask);
    }
    return free;
  }

  public int freeCores(int node, @Nullable Sharer sharer) {
    int base = node * hardware.coreWords;
    int free = 0;
    for (int w = 0; w < hardware.coreWords; w++) {
      long busy = busyCores[base + w] & ~shareable(base + w, sharer);
      free += Long.bitCount(hardware.usableCores[base + w] & ~busy);
    }
    return free;
  }

  boolean isFree(int node, int core, @Nullable Sharer sharer) {
    int word = node * hardware.coreWords + (core >> 6);
    long busy = busyCores[word] & ~shareable(word, sharer);
    return (hardware.usableCores[word] & ~busy & 1L << core) != 0;
  }

  long freeMemory(int node) {
    return hardware.memory[node] - memoryUsed[node];
  }

  long freeGres(int kind, int node) {
    if (sharedGpus[node] != 0 && hardware.kinds.get(kind).isGpu()) {
      long count = hardware.deviceCount(kind, node);
      long all = count >= 64 ? -1L : (1L << count) - 1;
      return count - Long.bitCount(takenDevices(kind, node) & all);
    }
    return hardware.deviceCount(kind, node) - gresUsed[kind][node];
  }

  public boolean isIdle(int node) {
    return jobs[node] == 0;
  }
}
