package dev.yardmaster.node.cgroup;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** The groups of one version of the kernel's interface. Groups are named by paths such as a/b. */
interface Hierarchy {
  /** What cgroup.conf asks for and is not in force here, a sentence each. */
  List<String> missing();

  /**
   * Makes a group with its limits, or gives one that is there the limits anew.
   *
   * @param inner whether groups will be made in it, and no process
   * @return the folders whose {@code cgroup.procs} a process writes itself to
   */
  List<Path> make(Path group, Limits limits, boolean inner) throws IOException;

  /** The folder that knows the processes of a group; those of groups in it are below. */
  Path tracking(Path group);

  /** How many processes of a group the kernel has killed for want of memory. */
  long outOfMemory(Path group);

  /** Removes a group and those in it, as far as nobody is in them. */
  void remove(Path group);
}
