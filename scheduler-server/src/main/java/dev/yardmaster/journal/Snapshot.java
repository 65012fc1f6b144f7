package dev.yardmaster.journal;

import dev.yardmaster.engine.share.UsageBook;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Commons;
import dev.yardmaster.engine.state.JobSteps;
import dev.yardmaster.model.Account;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.AccountingChange;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.AssociationUsage;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Crontab;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.QosUsage;
import dev.yardmaster.model.Reservation;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.pcollections.TreePMap;

/** The state as rows, and what changed between two states as rows to write and rows to delete. */
final class Snapshot {
  static final String HEAD = "head";
  private static final String CONFIG = "config";
  private static final String JOB = "job";
  private static final String NODE = "node";
  private static final String PARTITION = "partition";
  private static final String RESERVATION = "reservation";
  private static final String ACCOUNT = "account";
  private static final String USER = "user";
  private static final String QOS = "qos";
  private static final String ASSOCIATION = "association";
  private static final String USAGE = "usage";
  private static final String QOS_USAGE = "qos-usage";
  private static final String CRONTAB = "crontab";
  private static final String STEPS = "steps";

  private static final Map<String, Class<?>> TYPES =
      Map.ofEntries(
          Map.entry(HEAD, Head.class),
          Map.entry(CONFIG, ClusterConfig.class),
          Map.entry(JOB, Job.class),
          Map.entry(NODE, NodeStatus.class),
          Map.entry(PARTITION, Partition.class),
          Map.entry(RESERVATION, Reservation.class),
          Map.entry(ACCOUNT, Account.class),
          Map.entry(USER, AccountUser.class),
          Map.entry(QOS, Qos.class),
          Map.entry(ASSOCIATION, Association.class),
          Map.entry(USAGE, AssociationUsage.class),
          Map.entry(QOS_USAGE, QosUsage.class),
          Map.entry(CRONTAB, Crontab.class),
          Map.entry(STEPS, JobSteps.class));

  private Snapshot() {}

  /** Names a row. */
  record Key(String kind, String key) {
    @Override
    public String toString() {
      return "snapshot " + kind + (key.isEmpty() ? "" : " " + key);
    }
  }

  /**
   * What a snapshot as a whole says.
   *
   * @param rows how many other rows there are, so that a lost one is noticed
   * @param accounting whether the accounting is among them; it is not in those of early releases
   * @param usageCounted up to when usage is counted
   */
  record Head(
      long sequence,
      int nextJobId,
      Instant time,
      int rows,
      boolean accounting,
      @Nullable Instant usageCounted) {}

  /** Rows to write (value), and to delete (null), from one state to a later one. */
  static Map<Key, @Nullable Object> changes(
      @Nullable ClusterState before, ClusterState after, long sequence) {
    Map<Key, @Nullable Object> rows = new LinkedHashMap<>();
    if (before == null || before.config() != after.config()) {
      rows.put(new Key(CONFIG, ""), after.config());
    }
    differences(rows, JOB, jobs(before), after.jobs(), Function.identity());
    differences(rows, NODE, nodes(before), after.nodes(), Node::status);
    differences(rows, PARTITION, partitions(before), after.partitions(), Function.identity());
    differences(rows, RESERVATION, reservations(before), after.reservations(), Function.identity());
    Accounting old = before == null ? Accounting.EMPTY : before.accounting();
    UsageBook oldUsage = before == null ? UsageBook.EMPTY : before.usage();
    Accounting accounting = after.accounting();
    differences(rows, ACCOUNT, old.accounts(), accounting.accounts(), Function.identity());
    differences(rows, USER, old.users(), accounting.users(), Function.identity());
    differences(rows, QOS, old.qos(), accounting.qos(), Function.identity());
    differences(
        rows, ASSOCIATION, old.associations(), accounting.associations(), Function.identity());
    differences(
        rows, USAGE, oldUsage.associations(), after.usage().associations(), Function.identity());
    differences(rows, QOS_USAGE, oldUsage.qos(), after.usage().qos(), Function.identity());
    differences(rows, CRONTAB, crontabs(before), after.crontabs(), Function.identity());
    differences(rows, STEPS, steps(before), after.steps(), Function.identity());
    rows.put(
        new Key(HEAD, ""),
        new Head(
            sequence,
            after.nextJobId(),
            after.time(),
            rowCount(after),
            true,
            after.usage().counted()));
    return rows;
  }

  private static TreePMap<Integer, Job> jobs(@Nullable ClusterState state) {
    return state == null ? TreePMap.empty() : state.jobs();
  }

  private static TreePMap<String, Node> nodes(@Nullable ClusterState state) {
    return state == null ? TreePMap.empty() : state.nodes();
  }

  private static TreePMap<String, Partition> partitions(@Nullable ClusterState state) {
    return state == null ? TreePMap.empty() : state.partitions();
  }

  private static TreePMap<String, Reservation> reservations(@Nullable ClusterState state) {
    return state == null ? TreePMap.empty() : state.reservations();
  }

  private static TreePMap<String, Crontab> crontabs(@Nullable ClusterState state) {
    return state == null ? TreePMap.empty() : state.crontabs();
  }

  private static TreePMap<Integer, JobSteps> steps(@Nullable ClusterState state) {
    return state == null ? TreePMap.empty() : state.steps();
  }

  private static int rowCount(ClusterState state) {
    return 1
        + state.jobs().size()
        + state.nodes().size()
        + state.partitions().size()
        + state.reservations().size()
        + state.accounting().accounts().size()
        + state.accounting().users().size()
        + state.accounting().qos().size()
        + state.accounting().associations().size()
        + state.usage().associations().size()
        + state.usage().qos().size()
        + state.crontabs().size()
        + state.steps().size();
  }

  private static <K extends Comparable<K>, V> void differences(
      Map<Key, @Nullable Object> rows,
      String kind,
      TreePMap<K, V> before,
      TreePMap<K, V> after,
      Function<? super V, ? extends Object> row) {
    if (before == after) {
      return;
    }
    after.forEach(
        (key, value) -> {
          V old = before.get(key);
          if (old == null || row.apply(old) != row.apply(value)) {
            rows.put(new Key(kind, key.toString()), row.apply(value));
          }
        });
    for (K key : before.keySet()) {
      if (!after.containsKey(key)) {
        rows.put(new Key(kind, key.toString()), null);
      }
    }
  }

  /** Puts a state together from rows. */
  static final class Builder {
    private final String place;
    private final Codec codec;
    private final Commons commons = new Commons();
    private final Map<Integer, Job> jobs = new TreeMap<>();
    private final Map<String, NodeStatus> nodes = new TreeMap<>();
    private final Map<String, Partition> partitions = new TreeMap<>();
    private final Map<String, Reservation> reservations = new TreeMap<>();
    private final List<Account> accounts = new ArrayList<>();
    private final List<AccountUser> users = new ArrayList<>();
    private final List<Qos> qos = new ArrayList<>();
    private final List<Association> associations = new ArrayList<>();
    private final Map<Integer, AssociationUsage> usage = new TreeMap<>();
    private final Map<String, QosUsage> qosUsage = new TreeMap<>();
    private final Map<String, Crontab> crontabs = new TreeMap<>();
    private final Map<Integer, JobSteps> steps = new TreeMap<>();
    private @Nullable ClusterConfig config;
    private @Nullable Head head;
    private int rows;

    Builder(String place, Codec codec) {
      this.place = place;
      this.codec = codec;
    }

    void add(Key key, int version, byte[] body) {
      put(key, read(key, version, body));
    }

    /** What a row holds; may be asked for on any thread, and of several rows at a time. */
    Object read(Key key, int version, byte[] body) {
      Class<?> type = TYPES.get(key.kind());
      if (type == null) {
        throw new JournalException(place + ": record " + key + " is of an unknown kind");
      }
      return codec.read(place, key.toString(), version, type, body);
    }

    /** Takes what a row holds. */
    void put(Key key, Object row) {
      rows++;
      switch (row) {
        case Head found -> head = found;
        case ClusterConfig found -> config = found;
        case Job job -> jobs.put(job.id(), commons.share(job));
        case NodeStatus status -> nodes.put(key.key(), status);
        case Partition partition -> partitions.put(key.key(), partition);
        case Reservation reservation -> reservations.put(key.key(), reservation);
        case Account account -> accounts.add(account);
        case AccountUser user -> users.add(user);
        case Qos one -> qos.add(one);
        case Association association -> associations.add(association);
        case AssociationUsage used -> usage.put(Integer.valueOf(key.key()), used);
        case QosUsage used -> qosUsage.put(key.key(), used);
        case Crontab crontab -> crontabs.put(key.key(), crontab);
        case JobSteps found -> steps.put(Integer.valueOf(key.key()), found);
        default -> throw new IllegalArgumentException("no row of a state: " + row.getClass());
      }
    }

    /** The state, or null when there were no rows at all. */
    Journal.@Nullable Recovered build() {
      if (rows == 0) {
        return null;
      }
      if (head == null || config == null || head.rows() != rows - 1) {
        throw new DamagedRecordException(
            place,
            "snapshot head",
            head == null
                ? "it is missing"
                : "it counts " + head.rows() + " other rows, there are " + (rows - 1));
      }
      TreeMap<String, Node> withSpecs = new TreeMap<>();
      for (var spec : config.nodes()) {
        NodeStatus status =
            Objects.requireNonNullElseGet(nodes.get(spec.name()), NodeStatus::unknown);
        withSpecs.put(spec.name(), Node.of(spec, status));
      }
      ClusterState state =
          new ClusterState(
              config,
              TreePMap.from(withSpecs),
              TreePMap.from(partitions),
              TreePMap.from(jobs),
              TreePMap.from(reservations),
              head.accounting()
                  ? Accounting.EMPTY.apply(
                      AccountingChange.NONE
                          .withAccounts(accounts)
                          .withUsers(users)
                          .withQos(qos)
                          .withAssociations(associations))
                  : Accounting.initial(),
              new UsageBook(TreePMap.from(usage), TreePMap.from(qosUsage), head.usageCounted()),
              head.nextJobId(),
              head.time(),
              TreePMap.from(crontabs),
              TreePMap.from(steps),
              commons);
      return new Journal.Recovered(state, head.sequence());
    }
  }

  /** The kinds of rows, for a test that no component of the state was forgotten. */
  static List<String> components() {
    return new ArrayList<>(
        List.of(
            "config",
            "nodes",
            "partitions",
            "jobs",
            "reservations",
            "accounting",
            "usage",
            "nextJobId",
            "time",
            "crontabs",
            "steps"));
  }
}
