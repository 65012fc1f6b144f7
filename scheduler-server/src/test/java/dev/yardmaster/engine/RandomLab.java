package dev.yardmaster.engine;

import dev.yardmaster.model.GresDevices;
import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import java.util.List;
import java.util.Random;
import java.util.Set;

/** Small random clusters with a random past, from a seed. */
public final class RandomLab {
  /**
   * From this the seeds of properties come: each build tries the same clusters, so that what breaks
   * was broken by a change. With an empty text they are others each time, to look for more.
   */
  public static final String ORDER = "26";

  private final Random random;
  private final boolean simple;
  private final RandomSite site;
  private int nodes;
  private int partitions;

  private RandomLab(long seed, boolean simple) {
    random = new Random(seed);
    this.simple = simple;
    site = new RandomSite(random);
  }

  /** Everything the engine knows. */
  public static Lab any(long seed) {
    return new RandomLab(seed, false).build();
  }

  /** Only requests whose placement is a matter of counting nodes, at full minutes. */
  public static Lab simple(long seed) {
    return new RandomLab(seed, true).build();
  }

  private int upTo(int n) {
    return random.nextInt(n + 1);
  }

  private boolean chance(double p) {
    return random.nextDouble() < p;
  }

  private Lab build() {
    nodes = 1 + upTo(6);
    Lab.Builder builder = Lab.with();
    for (int n = 1; n <= nodes; n++) {
      int gpus = 4 * upTo(2);
      String type = chance(0.5) ? "a" : "b";
      String feature = chance(0.5) ? "x" : "y";
      int weight = chance(0.7) ? 1 : 2;
      builder.nodes(
          "n" + n,
          spec ->
              spec.with(
                  s ->
                      s.sockets(2)
                          .coresPerSocket(2)
                          .cpus(4)
                          .realMemoryMib(8000)
                          .weight(weight)
                          .features(List.of(feature))
                          .gres(
                              gpus == 0 ? List.<GresDevices>of() : List.of(Lab.gpus(type, gpus)))));
    }
    partitions = simple ? 1 : 1 + upTo(1);
    int most = !simple && chance(0.1) ? 2 : Partition.UNLIMITED;
    builder.partition("main", names(1, nodes), p -> p.withIsDefault(true).withMaxNodes(most));
    if (partitions > 1) {
      int from = 1 + upTo(nodes - 1);
      int tier = 1 + upTo(1);
      builder.partition("other", names(from, nodes), p -> p.withPriorityTier(tier));
    }
    builder.license("lic", 2);
    if (!simple && chance(0.3)) {
      builder.topology(site.topology(nodes));
    }
    if (!simple) {
      site.prepare(builder);
    }
    Lab lab = builder.build();
    if (!simple) {
      site.furnish(lab);
    }
    int rounds = 1 + upTo(2);
    for (int i = 0; i < rounds; i++) {
      submitSome(lab, 2 + upTo(4));
      lab.pass();
      lab.advanceMinutes(upTo(15));
    }
    disturb(lab);
    submitSome(lab, 2 + upTo(6));
    return lab;
  }

  private static String names(int from, int to) {
    return "n[" + from + "-" + to + "]";
  }

  private void disturb(Lab lab) {
    if (chance(0.3)) {
      lab.node("n" + (1 + upTo(nodes - 1)), chance(0.5) ? "drain" : "down");
    }
    if (!simple && chance(0.3)) {
      int node = 1 + upTo(nodes - 1);
      lab.reserve("r1", lab.now().plusSeconds(60L * upTo(30)), 10 + upTo(40), "n" + node, "alice");
      if (chance(0.5)) {
        String flag = site.reservationFlags();
        lab.changeReservation("r1", r -> r.withFlags(Set.of(flag)));
      }
    }
    if (!simple && partitions > 1 && chance(0.2)) {
      lab.partition("other", PartitionState.DOWN);
    }
    for (var job : List.copyOf(lab.state().jobs().values())) {
      if (!simple && job.state() == JobState.RUNNING && chance(0.1)) {
        lab.finish(job.id(), chance(0.5) ? JobState.COMPLETED : JobState.FAILED);
      }
    }
  }

  private void submitSome(Lab lab, int count) {
    for (int i = 0; i < count; i++) {
      lab.submit(job(lab));
    }
  }

  private JobSpec job(Lab lab) {
    JobSpec spec = JobSpec.job("j").user(chance(0.5) ? "alice" : "bob");
    int wanted = 1 + upTo(Math.min(3, nodes));
    spec.nodes(wanted).minutes(1 + upTo(39)).mem(500L * (1 + upTo(6)));
    if (chance(0.4)) {
      spec.cpusPerTask(1 + upTo(3));
    }
    if (chance(0.3)) {
      spec.exclusive();
    }
    if (!simple && chance(0.1)) {
      spec.gres(site.gpusOfJob());
    } else if (chance(0.5)) {
      String type = chance(0.3) ? (chance(0.5) ? "a" : "b") : null;
      spec.gres(new GresRequest("gpu", type, 1 + upTo(4), GresRequest.Scope.NODE));
    }
    if (chance(0.2)) {
      spec.features(chance(0.5) ? "x" : "x|y");
    }
    if (chance(0.15)) {
      spec.on("n" + (1 + upTo(nodes - 1)));
    }
    if (chance(0.1)) {
      spec.not("n" + (1 + upTo(nodes - 1)));
    }
    spec.priority(1 + upTo(20));
    return simple ? spec : complicated(spec, lab);
  }

  private JobSpec complicated(JobSpec spec, Lab lab) {
    if (partitions > 1 && chance(0.4)) {
      spec.p(chance(0.5) ? new String[] {"other"} : new String[] {"main", "other"});
    }
    if (chance(0.2)) {
      spec.tasks(1 + upTo(11));
    }
    if (chance(0.1)) {
      spec.license("lic", 1 + upTo(1));
    }
    if (chance(0.1)) {
      spec.held();
    }
    if (chance(0.1)) {
      spec.array(3, upTo(2));
    }
    if (chance(0.1)) {
      spec.also(j -> j.withTimeMinMinutes(1));
    }
    if (chance(0.1)) {
      int minutes = upTo(20);
      spec.also(j -> j.withBegin(lab.now().plusSeconds(60L * minutes)));
    }
    if (chance(0.1) && lab.state().nextJobId() > 1) {
      spec.after(site.dependency(lab.state().nextJobId() - 1));
    } else if (chance(0.03)) {
      spec.after("singleton");
    }
    if (chance(0.1)) {
      spec.requestOf(r -> r.withSwitches(1));
    }
    if (chance(0.05)) {
      int minutes = 20 + upTo(60);
      spec.also(j -> j.withDeadline(lab.now().plusSeconds(60L * minutes)));
    }
    if (chance(0.1) && lab.state().reservations().containsKey("r1")) {
      spec.also(j -> j.withReservation("r1"));
    }
    site.charge(spec);
    // as a submission is read: no fewer tasks than nodes
    spec.requestOf(r -> r.withTasks(Math.max(r.tasks(), r.minNodes())));
    if (chance(0.1)) {
      spec.contiguous();
    }
    if (chance(0.05)) {
      spec.exclusiveUser();
    }
    return spec;
  }
}
