/**
 * Reads Slurm's configuration files as they are: slurm.conf, gres.conf, topology.conf,
 * topology.yaml, cgroup.conf and slurmdbd.conf become a {@link dev.yardmaster.model.ClusterConfig}
 * and findings at file and line. No input makes a reader throw, and a configuration with a fatal
 * finding is not handed out.
 */
@NullMarked
package dev.yardmaster.config;

import org.jspecify.annotations.NullMarked;
