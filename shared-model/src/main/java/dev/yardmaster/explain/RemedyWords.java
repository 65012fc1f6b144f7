package dev.yardmaster.explain;

import dev.yardmaster.model.text.HostList;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Remedies in plain words. */
final class RemedyWords {
  /** So many of those who have to leave are named. */
  private static final int MOST_NAMED = 5;

  private final Texts texts;

  RemedyWords(Texts texts) {
    this.texts = texts;
  }

  /** What a remedy changes. */
  String remedy(Remedy r) {
    if (r.lever() == Remedy.Lever.RESUME_NODES) {
      return texts.get("remedy.RESUME_NODES", r.to(), nodeStates(r.from()));
    }
    if (r.lever() == Remedy.Lever.MOVE_RESERVATION) {
      String[] before = r.from().split(" ", 2);
      String[] after = r.to().split(" ", 2);
      return texts.get(
          "remedy.MOVE_RESERVATION",
          Texts.printable(before[0]),
          texts.moment(Instant.parse(before[1])),
          texts.moment(Instant.parse(after[1])));
    }
    if (r.lever() == Remedy.Lever.DROP_SWITCHES || r.lever() == Remedy.Lever.DROP_SEGMENT) {
      return texts.get("remedy." + r.lever(), Integer.parseInt(r.from()));
    }
    if (r.lever() == Remedy.Lever.RAISE_LIMIT && r.from().contains("\n")) {
      return texts.get("remedy.RAISE_LIMIT.several", together(r));
    }
    String from =
        r.lever() == Remedy.Lever.BEGIN_NOW ? texts.moment(Instant.parse(r.from())) : r.from();
    String several =
        r.lever() == Remedy.Lever.OTHER_JOB_ENDS && r.to().contains(" ") ? ".several" : "";
    String tasks =
        r.lever() == Remedy.Lever.FEWER_CPUS && r.command().contains(" numtasks=") ? ".tasks" : "";
    return texts.get("remedy." + r.lever() + several + tasks + countedOver(r), from, r.to());
  }

  private String together(Remedy r) {
    List<String> limits = r.from().lines().toList();
    List<String> amounts = r.to().lines().toList();
    List<String> parts = new ArrayList<>();
    for (int i = 0; i < Math.min(limits.size(), amounts.size()); i++) {
      parts.add(texts.get("remedy.RAISE_LIMIT.one", limits.get(i), amounts.get(i)));
    }
    return String.join(", ", parts);
  }

  /** GPUs that are not counted on each node say over what they are. */
  private static String countedOver(Remedy r) {
    boolean gpus = r.lever() == Remedy.Lever.FEWER_GPUS || r.lever() == Remedy.Lever.OTHER_GPU_TYPE;
    for (String over : gpus ? List.of("job", "socket", "task") : List.<String>of()) {
      if (r.command().contains(" tresper" + over + "=")) {
        return "." + over;
      }
    }
    return "";
  }

  /** The states of nodes, each line of {@link Remedy#from} with its reason in quotes. */
  private String nodeStates(String lines) {
    List<String> parts = new ArrayList<>();
    for (String line : lines.lines().toList()) {
      String[] words = line.split(" ", 3);
      String key = "remedy.state." + words[0];
      if (words.length < 2 || !texts.has(key)) {
        parts.add(Texts.printable(line));
      } else {
        HostList nodes = HostList.parse(words[1]);
        String state = texts.get(key, words[1], nodes.size());
        parts.add(
            words.length == 2
                ? state
                : texts.get("remedy.state.reason", state, Texts.printable(words[2])));
      }
    }
    return String.join("; ", parts);
  }

  /** What a remedy brings: when and where the job would start. */
  String effect(Remedy r, Instant at) {
    Long gain = r.gainSeconds();
    if (gain != null && gain == 0) {
      return texts.get("remedy.then.same", texts.instant(r.start(), at), r.nodes().toString());
    }
    return r.start().isAfter(at.plusSeconds(59))
        ? texts.get("remedy.then.at", texts.instant(r.start(), at), r.nodes().toString())
        : texts.get("remedy.then.now", r.nodes().toString());
  }

  /** What a remedy costs others: who has to leave, and who starts later. */
  String cost(Remedy r) {
    String delays = delays(r);
    if (r.sentAway().isEmpty()) {
      return delays;
    }
    List<String> losses = r.sentAway().stream().map(this::loss).toList();
    return texts.get(
        "remedy.sendsAway",
        texts.get("unit.job", losses.size()),
        String.join("; ", losses.subList(0, Math.min(MOST_NAMED, losses.size()))),
        Math.max(0, losses.size() - MOST_NAMED),
        delays);
  }

  private String delays(Remedy r) {
    List<Long> later =
        r.delayed().stream()
            .map(Remedy.Delay::seconds)
            .filter(s -> s != Remedy.Delay.NEVER)
            .toList();
    int never = r.delayed().size() - later.size();
    String delays =
        later.isEmpty()
            ? texts.get("remedy.delays.none")
            : texts.get(
                "remedy.delays",
                texts.get("unit.job", later.size()),
                texts.duration(Collections.max(later)));
    return never == 0 ? delays : texts.get("remedy.delays.never", later.size(), delays, never);
  }

  private String loss(Remedy.Loss loss) {
    if (loss.jobId() == Evidence.HIDDEN) {
      return texts.get("remedy.loss.hidden." + loss.mode());
    }
    String grace =
        loss.graceSeconds() == 0
            ? ""
            : texts.get("remedy.loss.grace", texts.duration(loss.graceSeconds()));
    return texts.get(
        "remedy.loss." + loss.mode(),
        Integer.toString(loss.jobId()),
        Texts.printable(loss.user()),
        texts.duration(loss.workedSeconds()),
        grace);
  }
}
