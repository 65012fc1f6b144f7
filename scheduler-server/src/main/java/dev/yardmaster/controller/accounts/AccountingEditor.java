package dev.yardmaster.controller.accounts;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.AccountUser.AdminLevel;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;

/** Finds what a command of sacctmgr(1) changes. Changes nothing by itself. */
public final class AccountingEditor {
  private static final int LONGEST_NAME = 255;
  private static final int SHOWN = 40;

  private static final List<String> ALWAYS =
      List.of("cpu", "mem", "energy", "node", "billing", "fs/disk", "vmem", "pages");

  private final ClusterState state;
  private final boolean administrator;
  private final Identity by;

  /**
   * @param administrator whether {@code by} may change everything whatever the accounting says
   */
  public AccountingEditor(ClusterState state, boolean administrator, Identity by) {
    this.state = state;
    this.by = by;
    this.administrator = administrator || level() != AdminLevel.NONE;
  }

  private AdminLevel level() {
    AccountUser user = state.accounting().users().get(by.user());
    return user == null ? AdminLevel.NONE : user.adminLevel();
  }

  /**
   * What a command changes.
   *
   * @param words the command without options: {@code add account prod fairshare=3}
   * @throws EditFailure with what sacctmgr prints when nothing is changed
   */
  public Edit edit(List<String> words) {
    String verb = words.isEmpty() ? "" : words.get(0).toLowerCase(Locale.ROOT);
    String entity = words.size() < 2 ? "" : words.get(1).toLowerCase(Locale.ROOT);
    List<String> rest = words.subList(Math.min(2, words.size()), words.size());
    return switch (verb) {
      case "add", "create" -> {
        refuseEmptyName(entity, rest);
        yield add(entity, Terms.read(rest, true));
      }
      case "modify" -> modify(entity, Terms.read(rest, false));
      case "delete", "remove" -> delete(entity, Terms.read(rest, false));
      default -> throw new EditFailure(" Unknown command: " + verb);
    };
  }

  /** A name is one line of a table, and a column of it. */
  private static void checkNames(Terms terms) {
    for (String name : terms.names()) {
      if (name.length() > LONGEST_NAME || name.chars().anyMatch(Character::isISOControl)) {
        throw new EditFailure(
            " Invalid name: "
                + name.substring(0, Math.min(SHOWN, name.length())).replaceAll("\\p{Cntrl}", "?"),
            " A name has 1 to " + LONGEST_NAME + " characters and no line breaks");
      }
    }
  }

  /** An empty name is none, and Slurm's database says so in its own way. */
  private static void refuseEmptyName(String entity, List<String> words) {
    boolean empty = words.stream().anyMatch(w -> w.isEmpty() || w.matches("(?i)names?="));
    if (empty && Terms.read(words, true).names().isEmpty()) {
      switch (kind(entity)) {
        case "account" -> throw new EditFailure(" error: Something was wrong with your query");
        case "qos" ->
            throw new EditFailure(
                " Problem adding QOS: Unspecified error",
                " Adding QOS(s)",
                "  ",
                " Settings",
                "  Description    = ");
        default -> {}
      }
    }
  }

  private Edit add(String entity, Terms terms) {
    checkNames(terms);
    return switch (kind(entity)) {
      case "account" -> new AccountEdits(this).add(terms);
      case "user" -> new UserEdits(this).add(terms);
      case "qos" -> new QosEdits(this).add(terms);
      case "coordinator" -> new CoordinatorEdits(this).add(terms);
      case "cluster" ->
          throw new EditFailure(
              terms.names().isEmpty()
                  ? " Need name of cluster to add."
                  : " This cluster "
                      + state.config().clusterName()
                      + " already exists.  Not adding.");
      case "federation", "resource" -> new AbsentEdits(kind(entity)).add(terms);
      default -> throw noEntity("add", ADDED);
    };
  }

  private Edit modify(String entity, Terms terms) {
    return switch (kind(entity)) {
      case "account" -> new AccountEdits(this).modify(terms);
      case "user" -> new UserEdits(this).modify(terms);
      case "qos" -> new QosEdits(this).modify(terms);
      case "cluster" -> new AccountEdits(this).modifyCluster(terms);
      case "federation", "resource", "job" -> new AbsentEdits(kind(entity)).modify(terms);
      default -> throw noEntity("modify", MODIFIED);
    };
  }

  private Edit delete(String entity, Terms terms) {
    return switch (kind(entity)) {
      case "account" -> new AccountEdits(this).delete(terms);
      case "user" -> new UserEdits(this).delete(terms);
      case "qos" -> new QosEdits(this).delete(terms);
      case "coordinator" -> new CoordinatorEdits(this).delete(terms);
      case "cluster" -> deleteCluster(terms);
      case "federation", "resource" -> new AbsentEdits(kind(entity)).delete(terms);
      default -> throw noEntity("delete", ADDED);
    };
  }

  private Edit deleteCluster(Terms terms) {
    if (terms.names().contains(cluster().toLowerCase(Locale.ROOT))) {
      throw new EditFailure(
          " Error with request: Access/permission denied",
          " The cluster is that of this controller, whose accounts go with it alone");
    }
    return new AbsentEdits("cluster").delete(terms);
  }

  private static final String ADDED =
      "\"Account\", \"Cluster\", \"Coordinator\", \"Federation\", \"QOS\", \"Resource\","
          + " or \"User\"";

  private static final String MODIFIED =
      "\"Account\", \"Cluster\", \"Federation\", \"Job\", \"QOS\", \"Resource\" or \"User\"";

  private static EditFailure noEntity(String verb, String known) {
    return new EditFailure(
        "No valid entity in " + verb + " command", "Input line must include " + known);
  }

  /** The entity that a word means, in the singular; the word itself when it is none. */
  static String kind(String entity) {
    for (String known :
        List.of(
            "account", "user", "qos", "coordinator", "cluster", "federation", "resource", "job")) {
      boolean plural = entity.equals(known + "s");
      if (plural || entity.length() >= 3 && known.startsWith(entity)) {
        return known;
      }
    }
    return entity;
  }

  Draft draft() {
    return new Draft(state.accounting());
  }

  Accounting accounting() {
    return state.accounting();
  }

  String cluster() {
    return state.config().clusterName();
  }

  Identity by() {
    return by;
  }

  boolean isAdministrator() {
    return administrator;
  }

  /** Whether the sender may change what is below an account. */
  boolean coordinates(String account) {
    if (administrator) {
      return true;
    }
    Accounting accounting = state.accounting();
    Association start = accounting.ofAccount(account);
    List<Association> line = start == null ? List.of() : accounting.upwards(start);
    return line.stream()
        .map(a -> accounting.accounts().get(a.account()))
        .anyMatch(a -> a != null && a.coordinators().contains(by.user()));
  }

  void requireAdministrator(String what) {
    if (!administrator) {
      throw new EditFailure(
          " error: Only admins/operators can " + what,
          " Error with request: Access/permission denied");
    }
  }

  /** Refuses to remove what active jobs belong to. */
  void refuseWhileActive(Predicate<Job> belongs, String indent) {
    List<String> lines = new ArrayList<>();
    for (Job job : state.jobs().values()) {
      if (!job.state().isFinished() && belongs.test(job)) {
        lines.add(
            "%sJobID = %-10s C = %-10s A = %-10s U = %-9s Q = %-9s"
                .formatted(
                    indent,
                    job.id(),
                    cluster(),
                    job.owner().account(),
                    job.owner().user(),
                    job.owner().qos()));
      }
    }
    if (!lines.isEmpty()) {
      lines.addFirst(" Error with request: Job(s) active, cancel job(s) before remove");
      throw new EditFailure(lines);
    }
  }

  LimitTerms limits() {
    return new LimitTerms(this::isTres);
  }

  private boolean isTres(String name) {
    ClusterConfig config = state.config();
    if (ALWAYS.contains(name)) {
      return true;
    }
    List<String> tracked =
        config.setting("AccountingStorageTRES").map(Terms::split).orElse(List.of());
    if (tracked.stream().anyMatch(t -> t.equalsIgnoreCase(name))) {
      return true;
    }
    if (name.startsWith("gres/")) {
      String gres = name.substring("gres/".length());
      int colon = gres.indexOf(':');
      return config.gresTypes().contains(colon < 0 ? gres : gres.substring(0, colon));
    }
    return name.startsWith("license/")
        && config.licenses().containsKey(name.substring("license/".length()));
  }
}
