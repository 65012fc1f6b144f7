package dev.yardmaster.cli;

import dev.yardmaster.client.StepListener;
import dev.yardmaster.model.ExitCode;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** What comes back from the tasks of a step: their output, in whose order it comes, and ends. */
final class StepRun implements StepListener.Output {
  private static final int SIGKILL = 9;
  private static final int SIGTERM = 15;

  private final PrintStream complaints;
  private final boolean label;
  private final Function<Integer, OutputStream> out;
  private final Function<Integer, OutputStream> err;
  private final Runnable onFailure;
  private final Map<String, ByteArrayOutputStream> lines = new HashMap<>();
  private final Map<Integer, ExitCode> exits = new TreeMap<>();
  private final Map<String, Map<ExitCode, List<Integer>>> failed = new HashMap<>();
  private final Set<String> connected = new HashSet<>();
  private final Set<String> away = new HashSet<>();
  private final CountDownLatch known = new CountDownLatch(1);
  private final CountDownLatch done = new CountDownLatch(1);
  private Map<Integer, String> tasks = Map.of();
  private long firstExit;
  private boolean hasFailed;
  private int firstTask;
  private int allTasks;

  /**
   * @param complaints where it is said how tasks failed
   * @param out where a task's standard output goes; likewise for its standard error
   * @param onFailure told when the first task fails
   */
  StepRun(
      PrintStream complaints,
      boolean label,
      Function<Integer, OutputStream> out,
      Function<Integer, OutputStream> err,
      Runnable onFailure) {
    this.complaints = complaints;
    this.label = label;
    this.out = out;
    this.err = err;
    this.onFailure = onFailure;
  }

  /** Says which tasks there are, and on which nodes. */
  synchronized void expect(Map<Integer, String> nodesOfTasks) {
    tasks = new TreeMap<>(nodesOfTasks);
    known.countDown();
    checkDone();
  }

  /** It is a part of a heterogeneous step, whose tasks are numbered through. */
  synchronized void isPart(int first, int all) {
    firstTask = first;
    allTasks = all;
  }

  /** Waits for a while; whether all tasks have ended. */
  boolean await(long millis) throws InterruptedException {
    return done.await(millis, TimeUnit.MILLISECONDS);
  }

  /** The nodes that have not connected. */
  synchronized Set<String> missing() {
    Set<String> missing = new HashSet<>(tasks.values());
    missing.removeAll(connected);
    return missing;
  }

  /**
   * Waits until all nodes have connected or were given up: input goes to all of them or to none.
   */
  synchronized void awaitConnected() throws InterruptedException {
    while (!missing().isEmpty()) {
      wait();
    }
  }

  /** How the tasks ended: by the highest signal of any, else with the highest exit code. */
  synchronized ExitCode exit() {
    return exits.values().stream().reduce(ExitCode.OK, ExitCode::strongest);
  }

  /** How long ago the first task ended, in milliseconds; -1 while all run. */
  synchronized long sinceFirstExit() {
    return exits.isEmpty() ? -1 : (System.nanoTime() - firstExit) / 1_000_000;
  }

  /** The tasks that have ended, well or not. */
  synchronized List<Integer> ended(boolean well) {
    return exits.entrySet().stream()
        .filter(e -> e.getValue().isOk() == well)
        .map(Map.Entry::getKey)
        .toList();
  }

  /** Whether a task was told to end, or killed. */
  synchronized boolean wereEnded() {
    return exits.values().stream().anyMatch(e -> e.signal() == SIGTERM || e.signal() == SIGKILL);
  }

  /** The tasks that have not ended. */
  synchronized List<Integer> running() {
    List<Integer> running = new ArrayList<>(tasks.keySet());
    running.removeAll(exits.keySet());
    return running;
  }

  private void awaitKnown() {
    try {
      known.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void connected(String node) {
    awaitKnown();
    synchronized (this) {
      connected.add(node);
      away.remove(node);
      notifyAll();
    }
  }

  @Override
  public synchronized void written(int task, boolean error, byte[] bytes) {
    OutputStream to = (error ? err : out).apply(task);
    if (!label) {
      write(to, bytes);
      return;
    }
    ByteArrayOutputStream line =
        lines.computeIfAbsent(task + (error ? "e" : "o"), k -> new ByteArrayOutputStream());
    for (byte b : bytes) {
      line.write(b);
      if (b == '\n') {
        write(to, labelled(task, line));
      }
    }
  }

  private byte[] labelled(int task, ByteArrayOutputStream line) {
    int number = firstTask + task;
    int width = Integer.toString(Math.max(0, Math.max(allTasks, tasks.size()) - 1)).length();
    ByteArrayOutputStream text = new ByteArrayOutputStream();
    text.writeBytes(
        (" ".repeat(width - Math.min(width, Integer.toString(number).length())) + number + ": ")
            .getBytes(StandardCharsets.UTF_8));
    text.writeBytes(line.toByteArray());
    line.reset();
    return text.toByteArray();
  }

  private static void write(OutputStream to, byte[] bytes) {
    try {
      to.write(bytes);
      to.flush();
    } catch (IOException e) {
      // Nobody reads it any more, as behind "| head"; the tasks go on.
      return;
    }
  }

  @Override
  public void exited(String node, int task, ExitCode exit) {
    awaitKnown();
    boolean first;
    synchronized (this) {
      if (exits.containsKey(task)) {
        // A daemon that was restarted says it again.
        return;
      }
      first = !exit.isOk() && !hasFailed;
      hasFailed |= !exit.isOk();
      firstExit = exits.isEmpty() ? System.nanoTime() : firstExit;
      exits.put(task, exit);
      if (!exit.isOk()) {
        failed
            .computeIfAbsent(node, k -> new HashMap<>())
            .computeIfAbsent(exit, k -> new ArrayList<>())
            .add(task);
      }
    }
    if (first) {
      onFailure.run();
    }
  }

  @Override
  public boolean lost(String node) {
    awaitKnown();
    synchronized (this) {
      boolean left =
          tasks.entrySet().stream()
              .anyMatch(e -> e.getValue().equals(node) && !exits.containsKey(e.getKey()));
      if (left) {
        away.add(node);
        return true;
      }
    }
    giveUp(node);
    return false;
  }

  /** The nodes that have left before their tasks had ended, and have not come back. */
  synchronized Set<String> away() {
    return Set.copyOf(away);
  }

  /** Nothing more comes from a node: what has not ended there has failed. */
  synchronized void giveUp(String node) {
    connected.add(node);
    away.remove(node);
    notifyAll();
    for (Map.Entry<String, ByteArrayOutputStream> line : Map.copyOf(lines).entrySet()) {
      String key = line.getKey();
      int task = Integer.parseInt(key.substring(0, key.length() - 1));
      if (node.equals(tasks.get(task)) && line.getValue().size() > 0) {
        line.getValue().write('\n');
        write((key.endsWith("e") ? err : out).apply(task), labelled(task, line.getValue()));
      }
    }
    tasks.forEach(
        (task, at) -> {
          if (at.equals(node)) {
            exits.putIfAbsent(task, new ExitCode(1, 0));
          }
        });
    complain(node);
    checkDone();
  }

  /** Says how the tasks failed that have ended by now. */
  synchronized void complain() {
    Set.copyOf(failed.keySet()).forEach(this::complain);
  }

  private void complain(String node) {
    Map<ExitCode, List<Integer>> of = failed.remove(node);
    if (of != null) {
      of.forEach(
          (exit, numbers) ->
              complaints.println(
                  "srun: error: " + node + ": " + tasks(numbers) + ": " + how(exit)));
    }
  }

  private void checkDone() {
    if (!tasks.isEmpty() && exits.keySet().containsAll(tasks.keySet())) {
      done.countDown();
    }
  }

  private static String how(ExitCode exit) {
    if (exit.signal() == 0) {
      return "Exited with exit code " + exit.code();
    }
    if (exit.signal() == ExitCode.OUT_OF_MEMORY) {
      return "Out Of Memory";
    }
    String name = SignalWords.name(exit.signal());
    return name.isEmpty() ? "Unknown signal " + exit.signal() : name;
  }

  /** {@code task 3} or {@code tasks 0-2,5}. */
  static String tasks(List<Integer> numbers) {
    List<Integer> sorted = numbers.stream().sorted().toList();
    List<String> parts = new ArrayList<>();
    int i = 0;
    while (i < sorted.size()) {
      int from = i;
      while (i + 1 < sorted.size() && sorted.get(i + 1) == sorted.get(i) + 1) {
        i++;
      }
      parts.add(from == i ? "" + sorted.get(i) : sorted.get(from) + "-" + sorted.get(i));
      i++;
    }
    return (sorted.size() == 1 ? "task " : "tasks ") + String.join(",", parts);
  }
}
