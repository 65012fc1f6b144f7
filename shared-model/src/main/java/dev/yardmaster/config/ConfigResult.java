package dev.yardmaster.config;

import dev.yardmaster.model.ClusterConfig;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What reading a configuration gave.
 *
 * @param config the configuration to start with; null when a finding is {@link Severity#FATAL}
 * @param findings all findings, by file in the order of reading, then by line
 * @param draft what could be understood, even of a file with fatal findings: for looking at and for
 *     checking, never to start with. The same as {@code config} when that is there; null only when
 *     slurm.conf cannot be read at all.
 * @param companions the settings of cgroup.conf and slurmdbd.conf by canonical key, by file name; a
 *     file that is not there is absent
 */
public record ConfigResult(
    @Nullable ClusterConfig config,
    List<ConfigFinding> findings,
    @Nullable ClusterConfig draft,
    Map<String, SortedMap<String, String>> companions) {
  public ConfigResult {
    findings = List.copyOf(findings);
    companions = Collections.unmodifiableSortedMap(new TreeMap<>(companions));
  }

  /** Why a server would not start with this; empty when it would. */
  public List<ConfigFinding> fatal() {
    return of(Severity.FATAL);
  }

  /** The findings of one severity. */
  public List<ConfigFinding> of(Severity severity) {
    return findings.stream().filter(f -> f.severity() == severity).toList();
  }

  /** The heaviest severity found; empty when there is nothing to say. */
  public Optional<Severity> worst() {
    return findings.stream().map(ConfigFinding::severity).min(Severity::compareTo);
  }
}
