package dev.yardmaster.engine.state;

import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobOwner;
import dev.yardmaster.model.JobRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What all states of one configuration share, forks included: one object for equal requests, owners
 * and lists of partitions of jobs, and what was compiled from the configuration. It says nothing
 * that the state does not say, so any two are equal.
 */
public final class Commons {
  /** With more different ones than this, remembering them costs more than it saves. */
  private static final int MOST = 100_000;

  private final Map<JobRequest, JobRequest> requests = new LinkedHashMap<>();
  private final Map<JobOwner, JobOwner> owners = new LinkedHashMap<>();
  private final Map<List<String>, List<String>> partitions = new LinkedHashMap<>();
  private @Nullable Object compiled;

  /** What was compiled from the configuration; made when first asked for. */
  public synchronized <T> T compiled(Class<T> type, Supplier<T> make) {
    Object found = compiled;
    if (found == null) {
      found = make.get();
      compiled = found;
    }
    return type.cast(found);
  }

  /** The job with the parts that equal jobs have already. */
  public synchronized Job share(Job job) {
    JobRequest request = first(requests, job.request());
    JobOwner owner = first(owners, job.owner());
    List<String> asked = first(partitions, job.partitions());
    boolean same = request == job.request() && owner == job.owner() && asked == job.partitions();
    return same ? job : job.with(j -> j.request(request).owner(owner).partitions(asked));
  }

  private static <T> T first(Map<T, T> known, T value) {
    T found = known.putIfAbsent(value, value);
    if (known.size() > MOST) {
      known.clear();
    }
    return found == null ? value : found;
  }

  @Override
  public boolean equals(@Nullable Object other) {
    return other instanceof Commons;
  }

  @Override
  public int hashCode() {
    return 1;
  }

  @Override
  public String toString() {
    return "";
  }
}
