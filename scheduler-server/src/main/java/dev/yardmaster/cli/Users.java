package dev.yardmaster.cli;

import dev.yardmaster.client.ClusterView;
import java.util.ArrayList;
import java.util.List;

/** Users of this machine. */
final class Users {
  private Users() {}

  /**
   * The users of a list that this machine or a job of the cluster knows, as a simulated cluster has
   * users of its own; the others are said to be wrong, as Slurm does.
   */
  static List<String> known(String program, List<String> users, ClusterView view, Io io) {
    List<String> known = new ArrayList<>();
    for (String user : users) {
      if (io.machine().hasUser(user) || hasJob(user, view)) {
        known.add(user);
      } else {
        io.err().println(program + ": error: Invalid user: " + user);
        io.err().println();
      }
    }
    return known;
  }

  /** Whether a user has a job. */
  static boolean hasJob(String user, ClusterView view) {
    return view.jobs().values().stream().anyMatch(job -> job.owner().user().equals(user));
  }
}
