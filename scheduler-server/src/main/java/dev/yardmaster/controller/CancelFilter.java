package dev.yardmaster.controller;

import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.model.text.AccountingNames;
import dev.yardmaster.model.text.HostList;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** What scancel(1) selects: jobs by id, by filters, or both. */
final class CancelFilter {
  /** Options of scancel that say how rather than which. */
  private static final Set<String> MANNERS =
      Set.of(
          "admin-comment",
          "batch",
          "cron",
          "full",
          "hurry",
          "quiet",
          "verbose",
          "ctld",
          "interactive",
          "signal");

  private CancelFilter() {}

  static List<JobSelector.Target> select(Turn turn, Command.CancelJobs command) {
    Map<String, String> filters = command.filters();
    List<JobSelector.Target> candidates = new ArrayList<>();
    if (command.jobs().isEmpty()) {
      if (filters.keySet().stream().allMatch(MANNERS::contains)) {
        throw new Refusal(SlurmError.COMMAND_VALUE, "No job identification provided");
      }
      for (Job job : turn.state().jobs().values()) {
        if (!job.state().isFinished()) {
          candidates.add(new JobSelector.Target(job, null));
        }
      }
    }
    for (String ids : command.jobs()) {
      candidates.addAll(known(turn, ids));
    }
    filters.forEach(CancelFilter::check);
    return candidates.stream().filter(t -> matchesAll(t.job(), filters, command.by())).toList();
  }

  /** A job that is not there any more is nothing to complain about, as Slurm. */
  private static List<JobSelector.Target> known(Turn turn, String ids) {
    try {
      return JobSelector.select(turn, ids).stream()
          .filter(t -> !t.job().state().isFinished() || ids.indexOf(',') < 0)
          .toList();
    } catch (Refusal e) {
      String detail = e.reply().detail();
      if (detail != null && detail.contains("there is no job")) {
        return List.of();
      }
      throw e;
    }
  }

  private static void check(String filter, String value) {
    if (filter.equals("state") && state(value) == null) {
      throw new Refusal(
          SlurmError.COMMAND_VALUE,
          "Invalid job state specified: " + value + "\nstates are PENDING, RUNNING or SUSPENDED");
    }
    if (!MANNERS.contains(filter)
        && !Set.of(
                "user",
                "me",
                "partition",
                "state",
                "name",
                "jobname",
                "account",
                "qos",
                "reservation",
                "wckey",
                "nodelist")
            .contains(filter)) {
      throw new Refusal(SlurmError.COMMAND_LINE, "unrecognized option '--" + filter + "'");
    }
  }

  private static @Nullable JobState state(String text) {
    for (JobState state : JobState.values()) {
      if (state.name().equalsIgnoreCase(text) || state.code().equalsIgnoreCase(text)) {
        return state;
      }
    }
    return null;
  }

  private static boolean matchesAll(Job job, Map<String, String> filters, Identity by) {
    return filters.entrySet().stream().allMatch(f -> matches(job, f.getKey(), f.getValue(), by));
  }

  private static boolean matches(Job job, String filter, String value, Identity by) {
    return switch (filter.toLowerCase(Locale.ROOT)) {
      case "user" -> job.owner().user().equals(value) || value.equals("" + job.owner().uid());
      case "me" -> job.owner().user().equals(by.user());
      case "partition" -> job.partitions().contains(value);
      case "state" -> job.state() == state(value);
      case "name", "jobname" -> job.name().equals(value);
      case "account" -> job.owner().account().equals(AccountingNames.fold(value));
      case "qos" -> job.owner().qos().equals(value);
      case "reservation" -> value.equals(job.reservation());
      case "wckey" -> WorkloadKeys.matches(job.owner().wckey(), value);
      case "nodelist" -> usesNode(job, value);
      default -> true;
    };
  }

  private static boolean usesNode(Job job, String nodes) {
    HostList wanted = HostList.parse(nodes);
    return job.allocation() != null
        && job.allocation().shares().stream().anyMatch(s -> wanted.contains(s.node()));
  }
}
