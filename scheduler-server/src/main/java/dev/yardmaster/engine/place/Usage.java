package dev.yardmaster.engine.place;

import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.NodeShare;
import java.util.Objects;

/**
 * What is taken on each node, in flat arrays. The one mutable thing of a pass; a {@link #copy} is a
 * fork.
 */
public final class Usage {
  private static final int NOBODY = -1;

  final Hardware hardware;
  final long[] busyCores;
  final int[] cpusUsed;
  final long[] memoryUsed;
  final int[] jobs;

  /** The user whose jobs alone are on the node; {@link #NOBODY} without jobs, -2 for several. */
  final int[] user;

  /** How many jobs of the node want it for their user alone. */
  final int[] userOnly;

  private int userOnlyJobs;

  final long[][] deviceMask;
  final long[][] gresUsed;

  private Usage(Hardware hardware) {
    this.hardware = hardware;
    int size = hardware.size;
    busyCores = new long[size * hardware.coreWords];
    cpusUsed = new int[size];
    memoryUsed = new long[size];
    jobs = new int[size];
    user = new int[size];
    userOnly = new int[size];
    java.util.Arrays.fill(user, NOBODY);
    deviceMask = new long[hardware.kinds.size()][size];
    gresUsed = new long[hardware.kinds.size()][size];
  }

  private Usage(Usage from) {
    hardware = from.hardware;
    busyCores = from.busyCores.clone();
    cpusUsed = from.cpusUsed.clone();
    memoryUsed = from.memoryUsed.clone();
    jobs = from.jobs.clone();
    user = from.user.clone();
    userOnly = from.userOnly.clone();
    userOnlyJobs = from.userOnlyJobs;
    deviceMask = deepClone(from.deviceMask);
    gresUsed = deepClone(from.gresUsed);
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

  public int jobsOn(int node) {
    return jobs[node];
  }

  /** Takes what a job holds. Nodes that no longer exist are skipped. */
  public void add(Allocation allocation, int uid, boolean forUserAlone) {
    for (NodeShare share : allocation.shares()) {
      int node = hardware.indexOf(share.node());
      if (node >= 0) {
        add(node, share, uid, forUserAlone);
      }
    }
  }

  /** Gives back what a job holds. */
  public void remove(Allocation allocation, boolean forUserAlone) {
    for (NodeShare share : allocation.shares()) {
      int node = hardware.indexOf(share.node());
      if (node >= 0) {
        remove(node, share, forUserAlone);
      }
    }
  }

  public void add(int node, NodeShare share, int uid, boolean forUserAlone) {
    mark(node, share.cores(), true);
    cpusUsed[node] += share.cpus();
    memoryUsed[node] += share.memoryMib();
    user[node] = jobs[node] == 0 || user[node] == uid ? uid : -2;
    jobs[node]++;
    userOnly[node] += forUserAlone ? 1 : 0;
    userOnlyJobs += forUserAlone ? 1 : 0;
    for (GresShare gres : share.gres()) {
      change(node, gres, 1);
    }
  }

  public void remove(int node, NodeShare share, boolean forUserAlone) {
    mark(node, share.cores(), false);
    cpusUsed[node] -= share.cpus();
    memoryUsed[node] -= share.memoryMib();
    jobs[node]--;
    userOnly[node] -= forUserAlone ? 1 : 0;
    userOnlyJobs -= forUserAlone ? 1 : 0;
    if (jobs[node] == 0) {
      user[node] = NOBODY;
    }
    for (GresShare gres : share.gres()) {
      change(node, gres, -1);
    }
  }

  private void mark(int node, IndexSet cores, boolean busy) {
    int base = node * hardware.coreWords;
    int words = Math.min(hardware.coreWords, cores.wordCount());
    for (int w = 0; w < words; w++) {
      if (busy) {
        busyCores[base + w] |= cores.word(w);
      } else {
        busyCores[base + w] &= ~cores.word(w);
      }
    }
  }

  private void change(int node, GresShare share, int sign) {
    int kind = -1;
    for (int k = 0; k < hardware.kinds.size(); k++) {
      Hardware.Kind candidate = hardware.kinds.get(k);
      if (candidate.name().equals(share.name()) && Objects.equals(candidate.type(), share.type())) {
        kind = k;
      }
    }
    if (kind < 0) {
      return;
    }
    gresUsed[kind][node] += sign * share.count();
    GresDevices devices = hardware.devices[kind][node];
    for (int w = 0; w < share.devices().wordCount(); w++) {
      for (long left = share.devices().word(w); left != 0; left &= left - 1) {
        long bit = 1L << (w << 6) + Long.numberOfTrailingZeros(left) - devices.firstIndex();
        deviceMask[kind][node] =
            sign > 0 ? deviceMask[kind][node] | bit : deviceMask[kind][node] & ~bit;
      }
    }
  }

  /** Makes one node's row equal to that of another usage of the same hardware. */
  public void copyRow(Usage from, int node) {
    int base = node * hardware.coreWords;
    System.arraycopy(from.busyCores, base, busyCores, base, hardware.coreWords);
    cpusUsed[node] = from.cpusUsed[node];
    memoryUsed[node] = from.memoryUsed[node];
    jobs[node] = from.jobs[node];
    user[node] = from.user[node];
    userOnly[node] = from.userOnly[node];
    for (int k = 0; k < deviceMask.length; k++) {
      deviceMask[k][node] = from.deviceMask[k][node];
      gresUsed[k][node] = from.gresUsed[k][node];
    }
  }

  /** Free cores of one socket. */
  int freeCores(int node, int socket) {
    int first = socket * hardware.coresPerSocket[node];
    int free = 0;
    for (int core = first; core < first + hardware.coresPerSocket[node]; core++) {
      if (isFree(node, core)) {
        free++;
      }
    }
    return free;
  }

  int freeCores(int node) {
    int base = node * hardware.coreWords;
    int free = 0;
    for (int w = 0; w < hardware.coreWords; w++) {
      free += Long.bitCount(hardware.usableCores[base + w] & ~busyCores[base + w]);
    }
    return free;
  }

  boolean isFree(int node, int core) {
    int word = node * hardware.coreWords + (core >> 6);
    return (hardware.usableCores[word] & ~busyCores[word] & 1L << core) != 0;
  }

  long freeMemory(int node) {
    return hardware.memory[node] - memoryUsed[node];
  }

  long freeGres(int kind, int node) {
    return hardware.deviceCount(kind, node) - gresUsed[kind][node];
  }
}
