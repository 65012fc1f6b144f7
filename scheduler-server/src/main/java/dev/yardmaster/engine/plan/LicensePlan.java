package dev.yardmaster.engine.plan;

import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.gate.Reservations;
import dev.yardmaster.engine.place.Shape;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * Which licences are free at what time, beside the jobs that run and those that are planned
 * (slurm.conf(5), SchedulerParameters=bf_licenses). Running jobs have theirs until the moment of
 * the grid of bf_resolution that follows their end.
 */
final class LicensePlan {
  private record Stay(long from, long until, int amount) {}

  private final Board board;
  private final Agenda plan;
  private final long now;
  private final TreeMap<String, List<Stay>> stays = new TreeMap<>();

  LicensePlan(Board board, Agenda plan) {
    this.board = board;
    this.plan = plan;
    now = board.now().getEpochSecond();
    for (Job job : board.holders()) {
      if (job.state() == JobState.RUNNING || job.state() == JobState.SUSPENDED) {
        Instant end = job.ended();
        long until =
            end == null
                ? Long.MAX_VALUE
                : plan.roundedEnd(
                    Math.max(now + 1, TimeLimits.expectedEnd(board, job, end.getEpochSecond())), 0);
        job.heldLicenses().forEach((name, n) -> add(name, new Stay(Long.MIN_VALUE, until, n)));
      }
    }
  }

  private void add(String name, Stay stay) {
    stays.computeIfAbsent(name, k -> new ArrayList<>()).add(stay);
  }

  /** The earliest place for a job at which its licences are free as long as it runs. */
  Plan.@Nullable Slot earliest(Job job, Shape shape, long minutes) {
    long from = now;
    while (true) {
      from = free(job, from, minutes);
      if (from >= plan.horizon()) {
        return null;
      }
      Plan.Slot slot =
          from == now
              ? plan.earliest(job, shape, minutes)
              : plan.earliest(job, shape, minutes, from);
      if (slot == null
          || slot.start() <= from
          || free(job, slot.start(), minutes) == slot.start()) {
        return slot;
      }
      from = slot.start();
    }
  }

  /** Whether a job would find its licences if it began now. */
  boolean areFreeNow(Job job, long minutes) {
    return free(job, now, minutes) == now;
  }

  /** A job has its licences for a time, or from now on for one that starts. */
  void take(Job job, long from, long minutes) {
    for (String name : job.request().licenseNames()) {
      if (!job.request().anyLicense() || free(job, name, from, minutes) == from) {
        add(name, new Stay(from, plan.roundedEnd(from, minutes), asked(job, name)));
        if (job.request().anyLicense()) {
          return;
        }
      }
    }
  }

  /**
   * The first moment from a time on at which all that a job asks for is free as long as it runs.
   */
  private long free(Job job, long from, long minutes) {
    if (job.request().licenses().isEmpty()) {
      return from;
    }
    long time = from;
    long before;
    do {
      before = time;
      long any = Long.MAX_VALUE;
      for (String name : job.request().licenseNames()) {
        long opens = free(job, name, before, minutes);
        any = Math.min(any, opens);
        time = job.request().anyLicense() ? any : Math.max(time, opens);
      }
    } while (time > before && time < Long.MAX_VALUE && !job.request().anyLicense());
    return time;
  }

  private long free(Job job, String name, long from, long minutes) {
    long time = from;
    while (time < Long.MAX_VALUE) {
      long until = Reservations.endOf(time, minutes);
      long conflict = conflict(job, name, time, until);
      if (conflict == time) {
        return time;
      }
      time = conflict;
    }
    return time;
  }

  /** The same time when enough are free all along; else when the first of those in the way ends. */
  private long conflict(Job job, String name, long from, long until) {
    List<Stay> all = stays.getOrDefault(name, List.of());
    int total = board.state().config().licenses().getOrDefault(name, 0);
    int kept = board.reservations().licensesKept(job, name, from, until);
    int most = total - kept - asked(job, name);
    long worst = from;
    boolean tooMany = taken(all, from) > most;
    for (Stay stay : all) {
      if (!tooMany && stay.from > from && stay.from < until && taken(all, stay.from) > most) {
        worst = stay.from;
        tooMany = true;
      }
    }
    long next = Long.MAX_VALUE;
    for (Stay stay : all) {
      boolean there = stay.from <= worst && worst < stay.until;
      next = there ? Math.min(next, stay.until) : next;
    }
    return tooMany ? next : from;
  }

  private static int taken(List<Stay> all, long time) {
    int taken = 0;
    for (Stay stay : all) {
      taken += stay.from <= time && time < stay.until ? stay.amount : 0;
    }
    return taken;
  }

  private static int asked(Job job, String name) {
    return job.request().licenses().getOrDefault(name, 0);
  }
}
