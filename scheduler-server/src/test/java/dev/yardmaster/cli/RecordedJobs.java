package dev.yardmaster.cli;

import dev.yardmaster.model.Allocation;
import dev.yardmaster.model.ArrayInfo;
import dev.yardmaster.model.Exclusivity;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.GresShare;
import dev.yardmaster.model.HetInfo;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.IndexSet;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobBatch;
import dev.yardmaster.model.JobFlag;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobRequest;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.MemoryRequest;
import dev.yardmaster.model.NodeShare;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PlannedStart;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Tres;
import dev.yardmaster.model.text.ArraySpec;
import dev.yardmaster.model.text.Dependency;
import dev.yardmaster.model.text.FeatureExpression;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.Instants;
import dev.yardmaster.model.text.JobStateText;
import dev.yardmaster.model.text.KeyValueText;
import dev.yardmaster.model.text.Memory;
import dev.yardmaster.model.text.TimeLimits;
import dev.yardmaster.model.text.TresList;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Makes jobs of what a real {@code scontrol -d show job} printed. */
final class RecordedJobs {
  private static final Set<String> WHOLE_LINE =
      Set.of("SubmitLine", "Command", "WorkDir", "Comment", "StdErr", "StdIn", "StdOut");

  private final Map<String, String> fields = new LinkedHashMap<>();
  private final List<NodeShare> shares = new ArrayList<>();

  private RecordedJobs() {}

  /** One job; the text is one record. */
  static Job read(String text) {
    RecordedJobs record = new RecordedJobs();
    String[] lines = text.split("\n");
    int name = lines[0].indexOf("JobName=");
    record.fields.putAll(KeyValueText.record(lines[0].substring(0, name)));
    record.fields.put("JobName", lines[0].substring(name + "JobName=".length()));
    for (int i = 1; i < lines.length; i++) {
      record.line(lines[i].strip());
    }
    return record.job();
  }

  private void line(String line) {
    int equals = line.indexOf('=');
    String key = equals < 0 ? "" : line.substring(0, equals);
    if (key.equals("Nodes") && line.contains(" CPU_IDs=")) {
      Map<String, String> share = KeyValueText.record(line);
      for (String node : HostList.parse(get(share, "Nodes"))) {
        shares.add(share(node, share));
      }
    } else if (WHOLE_LINE.contains(key)) {
      fields.put(key, line.substring(equals + 1));
    } else {
      fields.putAll(KeyValueText.record(line));
    }
  }

  private static String get(Map<String, String> map, String key) {
    String value = map.get(key);
    if (value == null) {
      throw new AssertionError("no " + key + " in " + map);
    }
    return value;
  }

  private static NodeShare share(String node, Map<String, String> line) {
    List<GresShare> gres = new ArrayList<>();
    for (String item : get(line, "GRES").split(",(?=[a-z])")) {
      if (item.isEmpty()) {
        continue;
      }
      int open = item.indexOf('(');
      String[] parts = (open < 0 ? item : item.substring(0, open)).split(":");
      String indices =
          open < 0 ? "" : item.substring(item.indexOf(':', open) + 1, item.lastIndexOf(')'));
      gres.add(
          new GresShare(
              parts[0],
              parts.length == 3 ? parts[1] : null,
              IndexSet.parse(indices),
              Long.parseLong(parts[parts.length - 1])));
    }
    IndexSet cpus = IndexSet.parse(get(line, "CPU_IDs"));
    return new NodeShare(node, cpus, cpus.size(), Long.parseLong(get(line, "Mem")), gres);
  }

  private String get(String key) {
    return get(fields, key);
  }

  private @Nullable Instant time(String key) {
    return Instants.parseReported(get(key), ZoneOffset.UTC).orElse(null);
  }

  private static String orEmpty(String text) {
    return text.equals("(null)") || text.equals("N/A") ? "" : text;
  }

  private boolean isPending() {
    return get("JobState").equals("PENDING") || get("JobState").equals("SPECIAL_EXIT");
  }

  private Job job() {
    String reason = get("Reason");
    Instant start = time("StartTime");
    Instant submitted = time("SubmitTime");
    JobStateText shown = JobStateText.parse(get("JobState"));
    Set<JobFlag> flags = shown.flags();
    JobState base = shown.base();
    JobState other = flags.contains(JobFlag.COMPLETING) ? JobState.COMPLETED : JobState.PENDING;
    String planned = orEmpty(fields.getOrDefault("SchedNodeList", ""));
    long limit = limit(get("TimeLimit"));
    return Job.waiting(
            Integer.parseInt(get("JobId")),
            get("JobName"),
            owner(),
            List.of(get("Partition").split(",")),
            request(),
            batch(),
            limit,
            submitted == null ? Instant.EPOCH : submitted)
        .with(
            j ->
                j.array(array())
                    .het(fields.containsKey("HetJobId") ? het() : null)
                    .comment(fields.getOrDefault("Comment", ""))
                    .reservation(fields.get("Reservation"))
                    .dependency(
                        orEmpty(get("Dependency")).isEmpty()
                            ? null
                            : Dependency.parse(get("Dependency")))
                    .timeMinMinutes(get("TimeMin").equals("N/A") ? 0 : limit(get("TimeMin")))
                    .begin(isPending() && planned.isEmpty() ? start : null)
                    .deadline(time("Deadline"))
                    .requeue(get("Requeue").equals("1"))
                    .nice(Integer.parseInt(get("Nice")))
                    .state(base == null ? other : base)
                    .flags(flags)
                    .reason(Reason.ofText(reason).orElse(Reason.NONE))
                    .reasonText(Reason.ofText(reason).isPresent() ? "" : reason.replace('_', ' '))
                    .priority(Long.parseLong(get("Priority")))
                    .eligible(time("EligibleTime"))
                    .accrues(time("AccrueTime"))
                    .started(isPending() ? null : start)
                    .ended(isPending() ? null : time("EndTime"))
                    .lastEvaluated(time("LastSchedEval"))
                    .restarts(Integer.parseInt(get("Restarts")))
                    .exitCode(exit(get("ExitCode")))
                    .derivedExitCode(exit(get("DerivedExitCode")))
                    .planned(
                        isPending() && !planned.isEmpty() && start != null
                            ? new PlannedStart(
                                start, HostList.parse(planned), get("Partition"), start)
                            : null)
                    .allocation(allocation()));
  }

  private static long limit(String text) {
    return text.equals("UNLIMITED")
        ? Partition.UNLIMITED
        : TimeLimits.parseReported(text).orElseThrow() / 60;
  }

  private static ExitCode exit(String text) {
    String[] parts = text.split(":");
    return new ExitCode(Integer.parseInt(parts[0]), Integer.parseInt(parts[1]));
  }

  private HetInfo het() {
    int leader = Integer.parseInt(get("HetJobId"));
    String last = get("HetJobIdSet").replaceFirst(".*[-,]", "");
    int size = last.isEmpty() ? 0 : Integer.parseInt(last) - leader + 1;
    return new HetInfo(leader, Integer.parseInt(get("HetJobOffset")), size);
  }

  private @Nullable ArrayInfo array() {
    String id = fields.get("ArrayJobId");
    if (id == null) {
      return null;
    }
    int throttle = Integer.parseInt(fields.getOrDefault("ArrayTaskThrottle", "0"));
    String tasks = get("ArrayTaskId");
    if (tasks.chars().allMatch(Character::isDigit)) {
      return new ArrayInfo(Integer.parseInt(id), Integer.parseInt(tasks), IndexSet.EMPTY, throttle);
    }
    ArraySpec spec = ArraySpec.parse(tasks);
    BitSet bits = new BitSet();
    spec.tasks().stream().forEach(bits::set);
    return new ArrayInfo(Integer.parseInt(id), null, IndexSet.of(bits), throttle);
  }

  private JobOwner owner() {
    String user = get("UserId");
    String group = get("GroupId");
    return new JobOwner(
        user.substring(0, user.indexOf('(')),
        number(user),
        group.substring(0, group.indexOf('(')),
        number(group),
        orEmpty(get("Account")),
        orEmpty(get("QOS")),
        fields.getOrDefault("WCKey", ""));
  }

  private static int number(String nameAndId) {
    return Integer.parseInt(
        nameAndId.substring(nameAndId.indexOf('(') + 1, nameAndId.length() - 1));
  }

  private JobBatch batch() {
    return new JobBatch(
        !get("BatchFlag").equals("0"),
        orEmpty(get("Command")),
        get("SubmitLine"),
        get("WorkDir"),
        fields.getOrDefault("StdIn", ""),
        fields.getOrDefault("StdOut", ""),
        fields.getOrDefault("StdErr", ""),
        "",
        get("AllocNode:Sid").replaceAll(":.*", ""));
  }

  private JobRequest request() {
    String[] nodes = get("NumNodes").split("-");
    String[] shape = get("ReqB:S:C:T").split(":");
    String[] tasks = get("NtasksPerN:B:S:C").split(":");
    return JobRequest.oneTask()
        .with(
            r -> {
              r.minNodes(Integer.parseInt(nodes[0]))
                  .maxNodes(nodes.length == 2 ? Integer.parseInt(nodes[1]) : 0)
                  .nodesGiven(true)
                  .tasksGiven(!get("NumTasks").equals("N/A"))
                  .tasks(get("NumTasks").equals("N/A") ? 0 : Integer.parseInt(get("NumTasks")))
                  .cpusPerTask(Integer.parseInt(get("CPUs/Task")))
                  .coresPerSocket(star(shape[2]))
                  .threadsPerCore(star(shape[3]))
                  .socketsPerNode(star(get("Socks/Node")))
                  .tasksPerNode(star(tasks[0]))
                  .tasksPerSocket(star(tasks[2]))
                  .tasksPerCore(star(tasks[3]))
                  .coreSpec(star(get("CoreSpec")))
                  .minCpusPerNode(Integer.parseInt(get("MinCPUsNode")))
                  .memory(memory())
                  .tmpDiskMib(Memory.parse(get("MinTmpDiskNode")))
                  .requiredNodes(HostList.parse(orEmpty(get("ReqNodeList"))))
                  .excludedNodes(HostList.parse(orEmpty(get("ExcNodeList"))))
                  .features(
                      orEmpty(get("Features")).isEmpty()
                          ? null
                          : FeatureExpression.parse(get("Features")))
                  .contiguous(get("Contiguous").equals("1"))
                  .licenses(licenses())
                  .exclusivity(exclusivity())
                  .spread(fields.containsKey("SpreadJob"))
                  .segment(Integer.parseInt(fields.getOrDefault("SegmentSize", "0")))
                  .tasksPerGpu(Integer.parseInt(fields.getOrDefault("NtasksPerTRES", "0")))
                  .cpusPerGpu(gpus("CpusPerTres"))
                  .gres(gres());
              String[] switches = fields.getOrDefault("Switches", "0@00:00:00").split("@");
              r.switches(Integer.parseInt(switches[0]))
                  .switchesWaitSeconds(TimeLimits.parseReported(switches[1]).orElseThrow());
            });
  }

  private int gpus(String key) {
    String value = fields.get(key);
    return value == null ? 0 : Integer.parseInt(value.substring(value.lastIndexOf(':') + 1));
  }

  private static int star(String text) {
    return text.equals("*") ? 0 : Integer.parseInt(text);
  }

  private MemoryRequest memory() {
    if (fields.containsKey("MemPerTres")) {
      return new MemoryRequest.PerGpu(gpus("MemPerTres"));
    }
    String perCpu = fields.get("MinMemoryCPU");
    return perCpu != null
        ? new MemoryRequest.PerCpu(Memory.parseReported(perCpu))
        : new MemoryRequest.PerNode(Memory.parseReported(get("MinMemoryNode")));
  }

  private SortedMap<String, Integer> licenses() {
    TreeMap<String, Integer> licenses = new TreeMap<>();
    for (String item : orEmpty(get("Licenses")).split(",")) {
      if (!item.isEmpty()) {
        licenses.put(item.split(":")[0], Integer.parseInt(item.split(":")[1]));
      }
    }
    return Immutable.sortedMap(licenses);
  }

  private Exclusivity exclusivity() {
    return switch (get("Exclusive")) {
      case "NODE" -> Exclusivity.NODE;
      case "USER" -> Exclusivity.USER;
      case "MCS" -> Exclusivity.MCS;
      case "TOPO" -> Exclusivity.TOPO;
      default ->
          get("OverSubscribe").equals("YES") ? Exclusivity.OVERSUBSCRIBE : Exclusivity.DEFAULT;
    };
  }

  private List<GresRequest> gres() {
    List<GresRequest> all = new ArrayList<>();
    add("TresPerJob", GresRequest.Scope.JOB, all);
    add("TresPerNode", GresRequest.Scope.NODE, all);
    add("TresPerSocket", GresRequest.Scope.SOCKET, all);
    add("TresPerTask", GresRequest.Scope.TASK, all);
    return all;
  }

  private void add(String key, GresRequest.Scope scope, List<GresRequest> all) {
    for (String item : fields.getOrDefault(key, "").split(",")) {
      if (item.startsWith("gres/")) {
        String[] parts = item.substring("gres/".length()).split("[:=]");
        all.add(
            new GresRequest(
                parts[0],
                parts.length == 3 ? parts[1] : null,
                Long.parseLong(parts[parts.length - 1]),
                scope));
      }
    }
  }

  private @Nullable Allocation allocation() {
    if (shares.isEmpty()) {
      return null;
    }
    return new Allocation(shares, Tres.of(TresList.parse(get("AllocTRES")).amounts()));
  }
}
