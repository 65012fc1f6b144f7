package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.StepListener;
import dev.yardmaster.model.ExitCode;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobStep;
import dev.yardmaster.model.StepProgram;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** sattach(1): shows what the tasks of a running step write, and sends them what is typed. */
final class Sattach implements Command {
  private static final int BUFFER = 1 << 15;
  private static final String USAGE = "Usage: sattach [options] <jobid.stepid>";
  private static final List<String> TABLE =
      List.of(
          "error-filter:",
          "h help",
          "input-filter:",
          "l label",
          "layout",
          "output-filter:",
          "pty",
          "Q quiet",
          "u usage",
          "v verbose",
          "V version");

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = new GetOpt("sattach", 1, true, TABLE).parse(arguments);
    if (parsed.has("usage") && !parsed.has("version") && !parsed.has("help")) {
      io.err().println(USAGE);
      return 0;
    }
    if (Usage.answers(
        parsed,
        """
        Usage: sattach [OPTION...] JOB.STEP
        Shows what the tasks of a running step write, and sends them what is typed.
        """,
        "sattach(1)",
        TABLE,
        null,
        io)) {
      return 0;
    }
    if (parsed.operands().size() != 1) {
      io.err().println("sattach: error: too many parameters");
      io.err().println(USAGE);
      return 1;
    }
    String id = parsed.operands().getFirst();
    String filter = parsed.last("input-filter");
    if (filter != null && !filter.matches("[0-9]{1,9}")) {
      throw new CommandFailure(
          1, "sattach: error: Invalid numeric value \"" + filter + "\" for input-filter.");
    }
    if (!id.matches("[1-9].*")) {
      throw new CommandFailure(
          1, "sattach: fatal: Bad job/step specified: " + id + ": JobID can not be zero");
    }
    if (id.indexOf('.') < 0) {
      io.err().println("sattach: error: Failed to parse stepid from command line options");
      io.err().println(USAGE);
      return 1;
    }
    if (id.endsWith(".batch") || id.endsWith(".extern")) {
      throw new CommandFailure(1, "sattach: error: Cannot be used with extern or batch steps");
    }
    try (SchedulerClient client = Session.open("sattach", io)) {
      JobStep step =
          client.steps().stream()
              .filter(s -> s.displayId().equals(id))
              .findFirst()
              .orElseThrow(
                  () ->
                      new CommandFailure(
                          1,
                          "sattach: error: Could not get job step info: Invalid job id specified"));
      if (parsed.has("layout")) {
        layout(step, io.out());
        return 0;
      }
      return attach(client, step, parsed, io);
    } catch (ClientException e) {
      throw new CommandFailure(1, "sattach: error: " + Session.words(e));
    } catch (IOException e) {
      throw new CommandFailure(1, "sattach: error: " + e.getMessage());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return 1;
    }
  }

  private static void layout(JobStep step, PrintStream out) {
    out.println("Job step layout:");
    out.printf("\t%d tasks, %d nodes (%s)%n%n", step.tasks(), step.layout().size(), step.nodes());
    for (int i = 0; i < step.layout().size(); i++) {
      JobStep.OnNode node = step.layout().get(i);
      StringBuilder tasks = new StringBuilder();
      node.tasks().forEach(task -> tasks.append(task).append(' '));
      out.printf("\tNode %d (%s), %d task(s): %s%n", i, node.node(), node.tasks().size(), tasks);
    }
  }

  private static int attach(SchedulerClient client, JobStep step, GetOpt.Parsed parsed, Io io)
      throws ClientException, CommandFailure, IOException, InterruptedException {
    Shown shown = new Shown(step, parsed, io);
    try (StepListener listener =
        new StepListener(shown, Session.controllers(io).getFirst().endpoint())) {
      client.attachStep(
          step.displayId(),
          new StepProgram(
              List.of(),
              Immutable.sortedMap(),
              "",
              listener.host(),
              listener.port(),
              listener.key()));
      Thread.ofPlatform()
          .name("input")
          .daemon()
          .start(() -> feed(io, listener, task(parsed.last("input-filter"))));
      shown.done.await();
      io.out().flush();
      return shown.exitCode;
    }
  }

  /** The number of a filter; -1 for all. */
  private static int task(@Nullable String filter) {
    return filter != null && filter.matches("[0-9]{1,9}") ? Integer.parseInt(filter) : -1;
  }

  private static void feed(Io io, StepListener listener, int task) {
    byte[] buffer = new byte[BUFFER];
    try {
      int length = io.in().read(buffer);
      while (length >= 0) {
        listener.input(task, buffer, length);
        length = io.in().read(buffer);
      }
    } catch (IOException e) {
      // Nobody types any more; what the tasks write is shown all the same.
      return;
    }
  }

  /** What comes from the nodes. */
  private static final class Shown implements StepListener.Output {
    private final CountDownLatch done = new CountDownLatch(1);
    private final Set<String> nodes = new HashSet<>();
    private final Map<Integer, ByteArrayOutputStream> lines = new HashMap<>();
    private final Map<Integer, ExitCode> exits = new TreeMap<>();
    private final JobStep step;
    private final Io io;
    private final boolean label;
    private final int onlyOut;
    private final int onlyErr;
    private volatile int exitCode;

    Shown(JobStep step, GetOpt.Parsed parsed, Io io) {
      this.step = step;
      this.io = io;
      label = parsed.has("label");
      onlyOut = task(parsed.last("output-filter"));
      onlyErr = task(parsed.last("error-filter"));
      step.layout().forEach(node -> nodes.add(node.node()));
    }

    @Override
    public void connected(String node) {}

    @Override
    public synchronized void written(int task, boolean error, byte[] bytes) {
      int only = error ? onlyErr : onlyOut;
      if (only >= 0 && only != task) {
        return;
      }
      PrintStream to = error ? io.err() : io.out();
      if (!label) {
        to.write(bytes, 0, bytes.length);
        to.flush();
        return;
      }
      ByteArrayOutputStream line =
          lines.computeIfAbsent(error ? -1 - task : task, k -> new ByteArrayOutputStream());
      for (byte b : bytes) {
        line.write(b);
        if (b == '\n') {
          to.print(task + ": " + line.toString(StandardCharsets.UTF_8));
          line.reset();
        }
      }
      to.flush();
    }

    @Override
    public synchronized void exited(String node, int task, ExitCode exit) {
      exits.put(task, exit);
      int code = exit.signal() != 0 ? 128 + exit.signal() : exit.code();
      exitCode = Math.max(exitCode, code);
      if (exit.signal() != 0) {
        io.err().println("sattach: error: task " + task + " killed by signal " + exit.signal());
      } else if (code != 0) {
        io.err().println("sattach: error: task " + task + " exited with exit code " + code);
      }
      if (exits.size() == step.tasks()) {
        done.countDown();
      }
    }

    @Override
    public synchronized boolean lost(String node) {
      nodes.remove(node);
      if (nodes.isEmpty()) {
        done.countDown();
      }
      return false;
    }
  }
}
