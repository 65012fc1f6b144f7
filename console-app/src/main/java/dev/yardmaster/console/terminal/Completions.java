package dev.yardmaster.console.terminal;

import dev.yardmaster.console.connect.JobCommand;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.model.Job;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What may stand where the cursor is: commands, their options, and names of the cluster. */
final class Completions {
  /** More than this are not listed. */
  static final int LIMIT = 60;

  private static final List<String> OWN = List.of("clear", "help");

  private final List<String> commands;
  private final Function<String, List<String>> options;

  /**
   * Completions.
   *
   * @param options the options of a command
   */
  Completions(List<String> commands, Function<String, List<String>> options) {
    this.commands = commands;
    this.options = options;
  }

  /** What may stand in place of the word at the end of {@code line}. */
  List<String> of(String line, @Nullable Snapshot snapshot) {
    String start = line.substring(LineEditor.wordStart(line));
    String command = line.stripLeading().split(" ", 2)[0];
    Stream<String> candidates;
    if (line.stripLeading().indexOf(' ') < 0) {
      candidates = Stream.concat(commands.stream(), OWN.stream());
    } else if (start.startsWith("-")) {
      candidates = options.apply(command).stream();
    } else {
      candidates = snapshot == null || start.isEmpty() ? Stream.of() : names(snapshot);
    }
    return candidates.filter(word -> word.startsWith(start)).limit(LIMIT).toList();
  }

  private static Stream<String> names(Snapshot snapshot) {
    TreeSet<String> people = new TreeSet<>(snapshot.accounts());
    for (Job job : snapshot.jobs()) {
      people.add(job.owner().user());
    }
    people.remove("");
    return Stream.of(
            snapshot.jobs().stream().map(JobCommand::id),
            snapshot.partitions().keySet().stream(),
            snapshot.nodes().keySet().stream(),
            snapshot.reservations().keySet().stream(),
            people.stream())
        .flatMap(names -> names);
  }
}
