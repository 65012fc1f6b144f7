package dev.yardmaster.client;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * What the tasks of one component of a heterogeneous step are among those of all components, which
 * only srun knows once all have been laid out.
 *
 * @param firstTask added to the numbers of its tasks
 * @param firstNode added to the numbers of its nodes
 * @param variables what its tasks find in their environment beyond their own
 */
public record StepSetup(int firstTask, int firstNode, SortedMap<String, String> variables) {
  /** The option of a step whose nodes wait for this. */
  public static final String OPTION = "het-step";

  /** A step of its own. */
  public static final StepSetup NONE = new StepSetup(0, 0, new TreeMap<>());

  byte[] bytes() {
    StringBuilder text = new StringBuilder().append(firstTask).append(' ').append(firstNode);
    variables.forEach((name, value) -> text.append('\0').append(name).append('=').append(value));
    return text.toString().getBytes(StandardCharsets.UTF_8);
  }

  /** Reads what a node got. */
  public static StepSetup of(StepChannel.Frame frame) throws IOException {
    String[] parts = frame.text().split("\0", -1);
    String[] numbers = parts[0].split(" ", -1);
    if (frame.kind() != StepChannel.Kind.SETUP
        || numbers.length != 2
        || !numbers[0].matches("[0-9]{1,9}")
        || !numbers[1].matches("[0-9]{1,9}")) {
      throw new IOException("not what a node waits for before it starts tasks: " + frame.kind());
    }
    SortedMap<String, String> variables = new TreeMap<>();
    for (int i = 1; i < parts.length; i++) {
      int equals = parts[i].indexOf('=');
      if (equals > 0) {
        variables.put(parts[i].substring(0, equals), parts[i].substring(equals + 1));
      }
    }
    return new StepSetup(Integer.parseInt(numbers[0]), Integer.parseInt(numbers[1]), variables);
  }
}
