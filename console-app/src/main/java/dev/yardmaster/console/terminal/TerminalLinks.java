package dev.yardmaster.console.terminal;

import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.connect.Snapshot;
import dev.yardmaster.console.shell.Item;
import dev.yardmaster.model.Job;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Finds the jobs and nodes that a line of output names. Safe for use by several threads. */
final class TerminalLinks {
  private static final Pattern WORD = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]*");

  private volatile @Nullable Snapshot read;
  private volatile Map<String, Item> jobs = Map.of();

  /** A place in a line and what it names. */
  record Link(int start, int end, Item target) {}

  /** The links of a line. */
  List<Link> of(String line, @Nullable Snapshot snapshot) {
    List<Link> links = new ArrayList<>();
    if (snapshot == null) {
      return links;
    }
    Map<String, Item> known = jobs(snapshot);
    Matcher words = WORD.matcher(line);
    while (words.find()) {
      Item item = known.get(words.group());
      if (item == null && snapshot.node(words.group()).isPresent()) {
        item = Items.node(words.group());
      }
      if (item != null) {
        links.add(new Link(words.start(), words.end(), item));
      }
    }
    return links;
  }

  private Map<String, Item> jobs(Snapshot snapshot) {
    if (read != snapshot) {
      Map<String, Item> ids = new HashMap<>();
      for (Job job : snapshot.jobs()) {
        ids.put(job.displayId(), Items.job(job));
        ids.putIfAbsent(Integer.toString(job.id()), Items.job(job));
      }
      jobs = ids;
      read = snapshot;
    }
    return jobs;
  }
}
