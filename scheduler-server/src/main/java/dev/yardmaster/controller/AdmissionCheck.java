package dev.yardmaster.controller;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Job;
import org.jspecify.annotations.Nullable;

/**
 * Whether a job that is well formed can be accepted: limits of its partitions (EnforcePartLimits),
 * nodes that could ever host it. Asked for each submission and each change of a pending job.
 */
public interface AdmissionCheck {
  /** Accepts everything. */
  AdmissionCheck NONE =
      new AdmissionCheck() {
        @Override
        public Reply.@Nullable Refused check(ClusterState state, Job job, Identity by) {
          return null;
        }

        @Override
        public int expectedNodes(ClusterState state, Job job) {
          return 0;
        }
      };

  /** The refusal, or null when the job is accepted. */
  Reply.@Nullable Refused check(ClusterState state, Job job, Identity by);

  /** How many nodes an accepted job would get if nothing ran; 0 when that is not known. */
  int expectedNodes(ClusterState state, Job job);
}
