package dev.yardmaster.controller;

import dev.yardmaster.model.GresRequest;
import dev.yardmaster.model.GresRequest.Scope;
import dev.yardmaster.model.SlurmError;
import java.util.ArrayList;
import java.util.List;

/** {@code --ntasks-per-gpu} (sbatch(1)). */
final class TasksPerGpu {
  private TasksPerGpu() {}

  /** The GPUs that a job gets which gives its tasks, and how many go with a GPU, but no GPUs. */
  static List<GresRequest> implied(Options options, List<GresRequest> gres) {
    int each = options.count("ntasks-per-gpu", 1, 0);
    int tasks = options.count("ntasks", 1, 0);
    boolean said = gres.stream().anyMatch(g -> g.name().equals("gpu"));
    if (each > 0 && tasks == 0 && !said) {
      throw new Refusal(
          SlurmError.COMMAND_GRES,
          "gres_job_state_validate: --ntasks-per-tres needs either a GRES GPU specification or a"
              + " node/ntask specification");
    }
    if (each == 0 || tasks < each || said) {
      return gres;
    }
    List<GresRequest> more = new ArrayList<>(gres);
    more.add(new GresRequest("gpu", null, tasks / each, Scope.JOB));
    return List.copyOf(more);
  }

  /**
   * On a number of nodes that was given, each node has as many GPUs; what cannot be divided so is
   * left as it is, and finds no nodes.
   */
  static List<GresRequest> perNode(List<GresRequest> gres, int nodes) {
    return gres.stream()
        .map(
            g ->
                g.scope() == Scope.JOB && g.name().equals("gpu") && g.count() % nodes == 0
                    ? new GresRequest(g.name(), g.type(), g.count() / nodes, Scope.NODE)
                    : g)
        .toList();
  }
}
