package dev.yardmaster.controller;

import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Job;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Exit codes of batch scripts after which a job goes back to the queue (slurm.conf(5), RequeueExit
 * and RequeueExitHold); one that may not be requeued ends as ever.
 */
enum RequeueOnExit {
  /** It ends. */
  NO,
  /** It waits again. */
  REQUEUE,
  /** It waits again, held as SPECIAL_EXIT until its owner releases it. */
  HOLD;

  private static final Pattern RANGE = Pattern.compile("([0-9]{1,3})(?:-([0-9]{1,3}))?");

  /** What a job does whose script ended so; one that a signal ended has the exit code 0. */
  static RequeueOnExit of(ClusterConfig config, Job job, ExitCode exit) {
    int code = exit.signal() != 0 ? 0 : exit.code();
    if (!job.requeue() || !job.batch().batch()) {
      return NO;
    }
    if (lists(config.setting("RequeueExit").orElse(""), code)) {
      return REQUEUE;
    }
    return lists(config.setting("RequeueExitHold").orElse(""), code) ? HOLD : NO;
  }

  private static boolean lists(String text, int code) {
    for (String part : text.split(",")) {
      Matcher range = RANGE.matcher(part.strip());
      if (range.matches()) {
        int first = Integer.parseInt(range.group(1));
        int last = range.group(2) == null ? first : Integer.parseInt(range.group(2));
        if (first <= code && code <= last) {
          return true;
        }
      }
    }
    return false;
  }
}
