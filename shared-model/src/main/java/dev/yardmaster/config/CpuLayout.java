package dev.yardmaster.config;

/**
 * Boards, sockets, cores and threads of a node, with what is left open inferred and contradictions
 * settled as slurmctld does.
 */
record CpuLayout(
    int boards, int sockets, int coresPerSocket, int threadsPerCore, int cpus, int coreSpecCount) {
  static CpuLayout of(Block line, Findings findings) {
    int boards = atLeastOne(line, "Boards", findings);
    int cores = atLeastOne(line, "CoresPerSocket", findings);
    int threads = atLeastOne(line, "ThreadsPerCore", findings);
    String cpuKey = line.settings().containsKey("CPUs") ? "CPUs" : "Procs";
    boolean saysCpus = line.settings().containsKey(cpuKey);
    int cpus = atLeastOne(line, cpuKey, findings);
    int sockets = sockets(line, boards, saysCpus ? cpus : 0, (long) cores * threads, findings);
    if (sockets < boards) {
      findings.error(
          line.orHead("Boards"),
          boards + " boards with " + sockets + " sockets; 1 board is used",
          "");
      boards = 1;
    }
    long all = (long) sockets * cores * threads;
    if (all > 0xFFFF) {
      findings.error(
          line.orHead("CoresPerSocket"), all + " CPUs in a node", "a node has at most 65535");
      return new CpuLayout(1, 1, 1, 1, 1, 0);
    }
    if (!saysCpus) {
      cpus = (int) all;
    } else if (cpus != sockets && cpus != sockets * cores && cpus != all) {
      findings.error(
          line.orHead(cpuKey),
          String.format(
              "%d sockets x %d cores x %d threads give %d CPUs, %d cores or %d sockets; %d is used",
              sockets, cores, threads, all, sockets * cores, sockets, all),
          "write CPUs=" + all + ", or drop CPUs");
      cpus = (int) all;
    }
    return new CpuLayout(
        boards, sockets, cores, threads, cpus, spec(line, sockets * cores, findings));
  }

  private static int sockets(
      Block line, int boards, int saidCpus, long perSocket, Findings findings) {
    boolean onBoards = line.settings().containsKey("SocketsPerBoard");
    if (line.settings().containsKey("Sockets")) {
      if (!onBoards) {
        return atLeastOne(line, "Sockets", findings);
      }
      findings.error(
          line.orHead("Sockets"),
          "Sockets and SocketsPerBoard exclude each other; SocketsPerBoard is used",
          "remove one");
    }
    if (onBoards) {
      return (int)
          Math.min(0x10000L, (long) boards * atLeastOne(line, "SocketsPerBoard", findings));
    }
    // Without any socket count slurmctld takes as many as CPUs= needs, else one a board.
    return saidCpus >= perSocket && saidCpus % perSocket == 0
        ? (int) (saidCpus / perSocket)
        : boards;
  }

  private static int spec(Block line, int cores, Findings findings) {
    int kept = value(line, "CoreSpecCount", 0);
    if (kept > 0 && kept >= cores) {
      findings.error(
          line.orHead("CoreSpecCount"),
          "the node has " + cores + " cores; 1 is kept",
          "keep fewer");
      return 1;
    }
    if (kept > 0 && line.settings().containsKey("CPUSpecList")) {
      findings.error(
          line.orHead("CoreSpecCount"),
          "excluded by CPUSpecList; 0 is used",
          "remove one of the two");
      return 0;
    }
    return kept;
  }

  private static int atLeastOne(Block line, String key, Findings findings) {
    int value = value(line, key, 1);
    if (value < 1) {
      findings.error(line.orHead(key), "0 is not possible; 1 is used", "write 1 or more");
      return 1;
    }
    return value;
  }

  private static int value(Block line, String key, int fallback) {
    return line.get(key)
        .map(s -> Values.whole(s.value(), false).orElse(fallback))
        .map(n -> n == Values.UNLIMITED ? 0xFFFF : (int) Math.min(0xFFFF, n))
        .orElse(fallback);
  }
}
