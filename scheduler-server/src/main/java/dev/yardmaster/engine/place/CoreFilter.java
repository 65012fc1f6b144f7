package dev.yardmaster.engine.place;

import dev.yardmaster.model.GresRequest.Scope;
import dev.yardmaster.model.MemoryRequest;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.Comparator;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Narrows the free cores of a node down to those that a job with devices may have there, as
 * cons_tres does once a node is taken: sockets without devices that it needs are given up, and of
 * the others no more cores stay than its tasks can use, given up one by one where most are left.
 */
final class CoreFilter {
  private static final long[] NO_WORDS = {};

  private final Hardware hardware;
  private final Shape shape;
  private final int node;
  private final boolean first;
  private final boolean insists;
  private final int missingNodes;
  private final int sockets;
  private final int perCore;
  private final BitSet cores;
  private final List<Stock> stocks = new ArrayList<>();
  private final int[] left;
  private final boolean[] needed;
  private int total;
  private int cpus;
  private int minTasks = 1;
  private int maxTasks = Integer.MAX_VALUE;
  private int together = 1;
  private int leastCores = Integer.MAX_VALUE;
  private boolean saysCpus;

  private CoreFilter(
      Hardware hardware, Shape shape, int node, BitSet cores, int cpus, boolean first, int nodes) {
    this.hardware = hardware;
    this.shape = shape;
    this.node = node;
    this.cores = cores;
    this.cpus = cpus;
    this.first = first;
    insists = shape.request.enforceBinding();
    missingNodes = Math.max(1, nodes);
    sockets = hardware.sockets[node];
    int threads = shape.request.threadsPerCore();
    int all = hardware.cpusPerCore[node];
    perCore = threads > 0 ? Math.min(all, threads) : all;
    left = new int[sockets];
    needed = new boolean[sockets];
  }

  /**
   * What is left for a job.
   *
   * @param cores what it may have
   * @param cpus no more of these than so many
   * @param least at least so many CPUs go with its devices
   */
  record Offer(BitSet cores, int cpus, int least, List<Stock> stocks) {}

  /**
   * Narrows a node down.
   *
   * @param first whether each device is to have its cores near to it, which is tried first
   * @param nodes so many nodes are missing of the job, this one among them
   * @param got how many it has by now of each demand that is counted over the job
   * @return null when nothing that would do is left
   */
  static @Nullable Offer offer(
      Hardware hardware,
      Usage usage,
      int node,
      Shape shape,
      Fit fit,
      boolean first,
      int nodes,
      long[] got) {
    CpuRoom room = new CpuRoom(hardware);
    if (!room.measure(shape, node, usage, NO_WORDS, fit.sharer(shape))) {
      return null;
    }
    BitSet cores = room.kept(shape, node, usage, NO_WORDS, fit.sharer(shape));
    CoreFilter filter = new CoreFilter(hardware, shape, node, cores, room.cpus, first, nodes);
    return filter.narrow(usage, got);
  }

  private @Nullable Offer narrow(Usage usage, long[] got) {
    int per = hardware.coresPerSocket[node];
    for (int s = 0; s < sockets; s++) {
      left[s] = cores.get(s * per, (s + 1) * per).cardinality();
      total += left[s];
    }
    for (Shape.Demand demand : shape.demands) {
      Stock stock = Stock.of(hardware, usage, node, shape, demand);
      limit(stock, usage);
      stocks.add(stock);
    }
    countTasks();
    List<Stock> inTurn = new ArrayList<>(stocks);
    inTurn.sort(Comparator.comparingInt(CoreFilter::turn));
    for (Stock stock : inTurn) {
      if (!stock.counted && !narrow(stock, got[stocks.indexOf(stock)])) {
        return null;
      }
    }
    for (int s = 0; s < sockets; s++) {
      int more = cores.get(s * per, (s + 1) * per).cardinality() - left[s];
      for (int c = (s + 1) * per - 1; c >= s * per && more > 0; c--) {
        more -= cores.get(c) ? 1 : 0;
        cores.clear(c);
      }
    }
    int least = leastCores == Integer.MAX_VALUE ? 0 : leastCores * perCore;
    if (!saysCpus) {
      long byTasks = Math.max((long) maxTasks * shape.cpusPerTask, least);
      cpus = (int) Math.min(cpus, byTasks);
    }
    return new Offer(cores, cpus, least, stocks);
  }

  private static int turn(Stock stock) {
    return (stock.counted ? 2 : 0) + (stock.demand.request().scope() == Scope.SOCKET ? 0 : 1);
  }

  /** What limits the devices of a demand whatever the tasks are. */
  private void limit(Stock stock, Usage usage) {
    Scope scope = stock.demand.request().scope();
    boolean gpu = stock.demand.request().name().equals("gpu");
    long memory = 0;
    if (gpu && shape.countsMemory && shape.request.memory() instanceof MemoryRequest.PerGpu m) {
      memory = m.mib();
    }
    if (memory > 0) {
      stock.most = usage.freeMemory(node) / memory;
    }
    for (int s = 0; insists && s < sockets; s++) {
      stock.total -= left[s] == 0 ? stock.bySocket[s] : 0;
      stock.bySocket[s] = left[s] == 0 ? 0 : stock.bySocket[s];
    }
    long most = scope == Scope.NODE ? stock.demand.request().count() : 0;
    most = most > 0 && (stock.most == 0 || stock.most > most) ? most : ofJob(stock);
    lower(stock, most);
    if (gpu && shape.cpusPerGpu() > 0) {
      lower(stock, (long) total * hardware.cpusPerCore[node] / shape.cpusPerGpu());
    }
    if (memory > 0) {
      stock.total = Math.min(stock.total, usage.freeMemory(node) / memory);
    }
  }

  private static void lower(Stock stock, long most) {
    stock.most = most > 0 && (stock.most == 0 || stock.most > most) ? most : stock.most;
  }

  /** How many the whole job has of a demand, where that is known. */
  private long ofJob(Stock stock) {
    long count = stock.demand.request().count();
    return switch (stock.demand.request().scope()) {
      case JOB -> count;
      case TASK -> count * shape.tasks;
      case NODE, SOCKET -> 0;
    };
  }

  private void countTasks() {
    var r = shape.request;
    boolean perCoreSaid = r.tasksPerCore() > 0 || shape.oneTaskPerCore();
    if (r.tasksPerNode() > 0) {
      minTasks = r.tasksPerNode();
      maxTasks = minTasks;
    } else if (r.tasksPerSocket() > 0) {
      minTasks = r.tasksPerSocket();
      maxTasks = minTasks * sockets;
    } else if (perCoreSaid) {
      minTasks = Math.max(1, r.tasksPerCore());
      maxTasks = minTasks * hardware.usableCoresOf(node);
    } else if (r.tasksPerGpu() > 0) {
      boolean exact = shape.minNodes == shape.mostNodes;
      minTasks = exact ? shape.tasks / shape.minNodes : r.tasksPerGpu();
      maxTasks = exact ? minTasks : shape.tasks;
    } else if (shape.mostNodes == 1 && r.tasksGiven()) {
      minTasks = shape.tasks;
      maxTasks = minTasks;
    } else if (r.tasksGiven() && shape.mostTasksOnOne() == 1) {
      maxTasks = 1;
    }
    int room = cpus / shape.cpusPerTask;
    maxTasks = room < minTasks ? 0 : Math.min(maxTasks, room);
    if (r.tasksGiven()) {
      maxTasks = Math.min(maxTasks, shape.tasks);
    }
    together = Math.max(1, minTasks);
  }

  private int cpusPerGres(Stock stock) {
    var request = stock.demand.request();
    if (request.name().equals("gpu") && shape.cpusPerGpu() > 0) {
      saysCpus |= shape.request.cpusPerGpu() > 0;
      return shape.cpusPerGpu();
    }
    boolean parts = request.name().equals("shard") || request.name().equals("mps");
    long devices = ofJob(stock);
    if (!first || parts || devices == 0 || !shape.request.tasksGiven()) {
      return 0;
    }
    if (shape.tasks % devices == 0) {
      return (int) (shape.tasks / devices) * shape.cpusPerTask;
    }
    long each = devices / shape.tasks;
    return devices % shape.tasks == 0 && shape.cpusPerTask % each == 0
        ? (int) (shape.cpusPerTask / each)
        : 0;
  }

  /** The most that the node gives of a demand; 0 where nothing limits it. */
  private long mostOf(Stock stock, long got) {
    long rest = 0;
    long all = ofJob(stock);
    Scope scope = stock.demand.request().scope();
    if (all > 0) {
      rest = got < all ? all - got - (missingNodes - 1) : 1;
      rest = rest < 0 ? Long.MAX_VALUE : rest;
    }
    if (scope == Scope.TASK) {
      long each = stock.demand.request().count();
      if (each * minTasks > rest) {
        maxTasks = 0;
        return 0;
      }
      rest = Math.min(rest, each * maxTasks);
    }
    return stock.most > 0 && rest > 0 && rest < stock.most ? rest : stock.most;
  }

  private boolean narrow(Stock stock, long got) {
    Scope scope = stock.demand.request().scope();
    long count = stock.demand.request().count();
    long perNode = scope == Scope.NODE ? count : 0;
    long perSocket = scope == Scope.SOCKET ? count : 0;
    long perTask = scope == Scope.TASK ? count : 0;
    long most = mostOf(stock, got);
    int wanted = Math.max(1, shape.request.socketsPerNode());
    if (maxTasks == 0 || (most > 0 && (perNode > most || perSocket * wanted > most))) {
      return false;
    }
    int least = Math.ceilDiv(Math.max(minTasks, 1) * shape.cpusPerTask, perCore);
    int each = cpusPerGres(stock);
    boolean strict = insists || first;
    long there = stock.any;
    boolean enough = false;
    int used = 0;
    int free = 0;
    for (int s : byRoom()) {
      long here = stock.bySocket[s];
      here = strict && each > 0 ? Math.min(here, (long) left[s] * perCore / each) : here;
      if (perSocket > stock.any + here || stock.any + here == 0) {
        if (perSocket > stock.any + here || insists) {
          stock.total -= stock.bySocket[s];
          stock.bySocket[s] = 0;
        }
        if (first) {
          giveUp(s, least);
        }
      }
      free += left[s];
      if (strict && left[s] == 0) {
        continue;
      }
      there += here;
      if ((!enough && here > 0) || stock.any > 0) {
        needed[s] = true;
        used++;
      }
      enough |= (most > 0 && there >= most) || (perNode > 0 && there >= perNode);
    }
    if (each > 0) {
      most = most > 0 ? Math.min(cpus / each, most) : cpus / each;
      there = Math.min(there, most);
    }
    there = most > 0 ? Math.min(there, most) : there;
    there = perNode > 0 ? Math.min(perNode, there) : there;
    if (there == 0 || perNode > there || perTask > there) {
      maxTasks = 0;
    }
    if (each > 0 && there > 0) {
      long byGres = each * there;
      boolean tooFew =
          byGres < (long) minTasks * shape.cpusPerTask || byGres < shape.request.minCpusPerNode();
      maxTasks =
          tooFew ? minTasks : (int) Math.min(maxTasks, byGres / Math.max(1, shape.cpusPerTask));
    }
    there = limitTasks(stock, there, perNode, perTask);
    minTasks = minTasks / together * together;
    maxTasks = maxTasks / together * together;
    if (maxTasks == 0) {
      return false;
    }
    if (used != sockets && strict) {
      for (int s = 0; s < sockets; s++) {
        if (!needed[s] && left[s] > 0) {
          free -= left[s];
          cpus = Math.min(cpus, free * perCore);
          clear(s);
        }
      }
    }
    return keep(stock, each, there, used, free, perNode, perSocket, perTask);
  }

  private long limitTasks(Stock stock, long devices, long perNode, long perTask) {
    long there = devices;
    boolean gpu = stock.demand.request().name().equals("gpu");
    if (perTask > 0) {
      long tasks = stock.tasks >= 0 ? stock.tasks : there / perTask;
      maxTasks = (int) Math.min(maxTasks, tasks);
      there = Math.min(maxTasks * perTask, there);
    }
    int perGpu = shape.request.tasksPerGpu();
    if (gpu && perGpu > 0) {
      long tasks = there * perGpu;
      while (tasks > maxTasks) {
        tasks -= perGpu;
        there -= perNode > 0 ? 0 : 1;
      }
      maxTasks = (int) Math.min(maxTasks, tasks);
    }
    return there;
  }

  /** Leaves the cores that the tasks, or the CPUs of the devices, come to. */
  private boolean keep(
      Stock stock,
      int each,
      long devices,
      int used,
      int open,
      long perNode,
      long perSocket,
      long perTask) {
    int free = open;
    int perOne = shape.cpusPerTask;
    if (shape.oneTaskPerCore() && perOne % perCore != 0) {
      perOne = (perOne / perCore + 1) * perCore;
    }
    long there = devices;
    int wanted = Math.ceilDiv(maxTasks * perOne, perCore);
    boolean gpu = stock.demand.request().name().equals("gpu");
    while (maxTasks >= minTasks && wanted > free) {
      maxTasks--;
      wanted = Math.ceilDiv(maxTasks * perOne, perCore);
      int perGpu = gpu ? shape.request.tasksPerGpu() : 0;
      if (perNode == 0 && (perTask > 0 || perGpu > 0)) {
        there = Math.min(there, perTask > 0 ? maxTasks * perTask : maxTasks / perGpu);
      }
    }
    if (each > 0) {
      long gres =
          perNode > 0
              ? perNode
              : perSocket > 0
                  ? perSocket * used
                  : perTask > 0 ? perTask * maxTasks : Math.max(1, there);
      maxTasks = (int) Math.min(gres * each, maxTasks);
      wanted = Math.max(wanted, (int) Math.ceilDiv(gres * each, perCore));
    }
    wanted = insists ? Math.max(wanted, used) : wanted;
    if (wanted > free || (insists && wanted * perCore > cpus)) {
      maxTasks = 0;
      return false;
    }
    if (!shape.countsSockets) {
      for (int s = 0; s < sockets && !insists && !first && used != sockets; s++) {
        int gone = needed[s] ? 0 : Math.min(free - wanted, left[s]);
        left[s] -= gone;
        free -= gone;
        cpus = Math.min(cpus, free * perCore);
      }
      for (; used > 0 && free > wanted; free--) {
        int fullest = -1;
        for (int s = 0; s < sockets; s++) {
          boolean fuller = needed[s] && left[s] > 0;
          fullest = fuller && (fullest < 0 || left[fullest] < left[s]) ? s : fullest;
        }
        if (fullest < 0) {
          break;
        }
        left[fullest]--;
        cpus = Math.min(cpus, (free - 1) * perCore);
      }
    }
    if (each > 0) {
      stock.total = Math.min(cpus / each, stock.total);
      if (perNode > stock.total || perTask > stock.total) {
        maxTasks = 0;
        return false;
      }
    }
    stock.total = Math.min(there, stock.total);
    if (insists || saysCpus) {
      leastCores = Math.min(leastCores, wanted);
    }
    return true;
  }

  /** The sockets, those with the most cores left first. */
  private List<Integer> byRoom() {
    List<Integer> order = new ArrayList<>();
    for (int s = 0; s < sockets; s++) {
      order.add(s);
    }
    int[] now = left.clone();
    order.sort(Comparator.comparingInt(s -> -now[s]));
    return order;
  }

  /** Gives cores of a socket up, from the last, as long as more than so many are left in all. */
  private void giveUp(int socket, int least) {
    int per = hardware.coresPerSocket[node];
    for (int c = (socket + 1) * per - 1; c >= socket * per && total > least; c--) {
      if (cores.get(c)) {
        cores.clear(c);
        left[socket]--;
        total--;
        cpus = Math.min(cpus, total * perCore);
      }
    }
  }

  private void clear(int socket) {
    int per = hardware.coresPerSocket[node];
    cores.clear(socket * per, (socket + 1) * per);
    left[socket] = 0;
  }
}
