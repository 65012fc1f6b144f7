package dev.yardmaster.accounting;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.Qos;

/** The numbers under which a database knows what jobs belong to. */
final class Ids {
  private Ids() {}

  static int association(ClusterState state, Job job) {
    Association a =
        state.accounting().find(job.owner().user(), job.owner().account(), job.partition());
    return a == null ? 0 : a.id();
  }

  static int qos(ClusterState state, Job job) {
    Qos qos = state.accounting().qos().get(job.owner().qos());
    return qos == null ? 0 : qos.id();
  }

  /** They have numbers only where they are tracked (slurm.conf(5), TrackWCKey). */
  static int wckey(ClusterState state, Job job) {
    if (!state.config().setting("TrackWCKey").orElse("no").equalsIgnoreCase("yes")) {
      return 0;
    }
    int number = 0;
    for (var user : state.accounting().users().values()) {
      for (String key : user.wckeys()) {
        number++;
        if (user.name().equals(job.owner().user())
            && key.equals(job.owner().wckey().replace("*", ""))) {
          return number;
        }
      }
    }
    return 0;
  }

  static boolean isDown(ClusterState state, String name) {
    Node node = state.node(name);
    return node == null || node.status().base() == NodeBaseState.DOWN;
  }
}
