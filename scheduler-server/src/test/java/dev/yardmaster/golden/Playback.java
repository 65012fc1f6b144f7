package dev.yardmaster.golden;

import dev.yardmaster.cli.Cli;
import dev.yardmaster.cli.Io;
import dev.yardmaster.config.ConfigReader;
import dev.yardmaster.config.ConfigResult;
import dev.yardmaster.controller.NodeLinks;
import dev.yardmaster.controller.VirtualController;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.server.TestServer;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Plays a case through the commands, over a real connection, in virtual time. */
final class Playback implements AutoCloseable {
  private static final Pattern REFERENCE = Pattern.compile("\\{([^{}#]+)(?:#(\\d+))?}");
  private static final Pattern JOB_ID = Pattern.compile("(?m)^(?:Submitted batch job )?(\\d+)$");
  private static final Pattern PATH =
      Pattern.compile("/\\S+/(sbatch|srun|scontrol|sacctmgr|scancel|squeue)");
  private static final int STEP_MILLIS = 50;
  private static final int LOOKS_PER_SECOND = 10;
  private static final int TIMED_OUT = 124;
  private static final Set<String> INTERACTIVE = Set.of("srun", "salloc");
  private static final int COMPARED_CHARACTERS = 300;
  private static final String NO_SUCH_JOB = "999999";

  private final GoldenCase golden;
  private final Path folder;
  private final Agreement agreement = new Agreement();
  private final StringBuilder said = new StringBuilder();
  private final Map<String, List<String>> ids = new HashMap<>();
  private final VirtualController controller;
  private final TestServer server;
  private final List<AutoCloseable> standby = new ArrayList<>();
  private final ScriptedNodes nodes;
  private final NodeLinks links = new NodeLinks();
  private final ClusterConfig config;

  /** How much longer than recorded a command has waited. */
  private Duration late = Duration.ZERO;

  /**
   * @param folder an empty folder to work in
   */
  Playback(GoldenCase golden, Path folder) throws IOException {
    this.golden = golden;
    this.folder = folder;
    copy(golden.directory(), folder.resolve("etc"));
    takeLinkedDevicesAsSlurm(folder.resolve("etc/slurm.conf"));
    copy(golden.directory().resolve("files"), folder.resolve("w"));
    Files.writeString(folder.resolve("w/gpuenv.sh"), "#!/bin/bash\nenv\nsleep 300\n");
    config = configuration();
    controller =
        new VirtualController(
            this::configuration, links, ZoneOffset.UTC, golden.start().minus(golden.boot()));
    nodes = new ScriptedNodes(controller.clock());
    controller.join(nodes);
    server = TestServer.of(controller, controller.clock(), ZoneOffset.UTC);
    for (String backup : backups()) {
      String address = backup.replaceFirst("^.*\\((.*)\\)$", "$1");
      standby.add(TestServer.standby(address, server.endpoint().port()));
    }
    reachable(true);
  }

  /** Whether the commands find the controller. */
  private void reachable(boolean there) throws IOException {
    int port = there ? server.endpoint().port() : 1;
    StringBuilder conf = new StringBuilder("SlurmctldHost=vm(127.0.0.1)\n");
    for (String backup : backups()) {
      conf.append("SlurmctldHost=" + backup + "\n");
    }
    conf.append("MessageTimeout=0\nSlurmctldTimeout=0\nSlurmctldPort=" + port + "\n");
    Files.writeString(folder.resolve("client.conf"), conf);
  }

  /** The controllers behind the first; they stand by all the time. */
  private List<String> backups() {
    return config
        .controllers()
        .subList(Math.min(1, config.controllers().size()), config.controllers().size());
  }

  private static void copy(Path from, Path to) throws IOException {
    Files.createDirectories(to);
    if (!Files.isDirectory(from)) {
      return;
    }
    try (Stream<Path> files = Files.list(from)) {
      for (Path file : files.filter(Files::isRegularFile).toList()) {
        Files.copy(file, to.resolve(String.valueOf(file.getFileName())));
      }
    }
  }

  /**
   * By default linked devices are taken better than Slurm does, and plans keep clear of all
   * occurrences of a reservation; here what Slurm does is compared.
   */
  private static void takeLinkedDevicesAsSlurm(Path file) throws IOException {
    String key = "SchedulerParameters=";
    String text = Files.readString(file);
    Files.writeString(
        file,
        text.contains(key)
            ? text.replace(key, key + "gres_links=slurm,resv_repeats=slurm,")
            : text + key + "gres_links=slurm,resv_repeats=slurm\n");
  }

  private ClusterConfig configuration() {
    ConfigResult result = ConfigReader.read(folder.resolve("etc"));
    ClusterConfig read = result.config();
    if (read == null) {
      throw new IllegalArgumentException(result.fatal().toString());
    }
    return read;
  }

  /** Plays the case to its end. */
  Agreement play() throws IOException {
    Instant start = golden.start();
    for (List<String> words : golden.before()) {
      run("root", words);
    }
    if (!golden.before().isEmpty()) {
      run("root", List.of("scontrol", "reconfigure"));
    }
    controller.advanceTo(start.minus(golden.boot()).plusSeconds(1));
    nodes.register(config, golden.daemons(), links);
    controller.advanceTo(start.minus(golden.boot()).plusSeconds(2));
    for (List<String> words : golden.accounting()) {
      run("root", words);
    }
    if (golden.exactPasses()) {
      controller.passesAreToldAt(
          golden.steps().stream()
              .filter(step -> step instanceof GoldenCase.Pass)
              .map(step -> start.plus(step.at()).truncatedTo(ChronoUnit.SECONDS))
              .collect(Collectors.toSet()));
    }
    for (GoldenCase.Step step : golden.steps()) {
      controller.advanceTo(start.plus(step.at()).plus(late));
      switch (step) {
        case GoldenCase.Run run -> command(run);
        case GoldenCase.Look look -> look(look.name());
        case GoldenCase.Clear clear -> clear();
        case GoldenCase.Pass pass when pass.alone() -> controller.backfillNow();
        case GoldenCase.Pass pass -> controller.passNow(pass.backfill());
        case GoldenCase.Late late -> controller.beganNow(late.jobs());
        case GoldenCase.Until until -> until(until);
        case GoldenCase.Rest rest -> controller.restUntil(start.plus(rest.until()).plus(late));
        case GoldenCase.Stop stop -> reachable(false);
        case GoldenCase.Restart restart -> {
          reachable(true);
          controller.restart();
        }
      }
    }
    return agreement;
  }

  /** What every command printed, with its number and exit code. */
  String said() {
    return said.toString();
  }

  private record Outcome(int exitCode, String text) {}

  private Outcome run(String user, List<String> words) {
    return run(new RecordedMachine(user), user, words);
  }

  private Outcome run(RecordedMachine machine, String user, List<String> words) {
    TreeMap<String, String> environment =
        new TreeMap<>(
            Map.of(
                "SLURM_CONF",
                folder.resolve("client.conf").toString(),
                "SLURM_TIME_FORMAT",
                "standard",
                "HOME",
                "/home/" + user,
                "USER",
                user,
                "PATH",
                "/usr/bin:/bin"));
    List<String> command = words.stream().map(this::resolved).toList();
    if (command.getFirst().equals("env")) {
      String[] variable = command.get(1).split("=", 2);
      environment.put(variable[0], variable[1]);
      command = command.subList(2, command.size());
    }
    ByteArrayOutputStream both = new ByteArrayOutputStream();
    PrintStream out =
        new PrintStream(new BufferedOutputStream(both, 1 << 20), false, StandardCharsets.UTF_8);
    Io io =
        new Io(
            InputStream.nullInputStream(),
            out,
            new PrintStream(both, true, StandardCharsets.UTF_8),
            environment,
            folder.resolve("w"),
            ZoneOffset.UTC,
            controller.clock(),
            () -> false,
            machine);
    int exitCode = Cli.run(command.getFirst(), command.subList(1, command.size()), io);
    out.flush();
    return new Outcome(exitCode, both.toString(StandardCharsets.UTF_8));
  }

  private String resolved(String word) {
    String plain =
        REFERENCE
            .matcher(word)
            .replaceAll(
                match -> {
                  List<String> known = ids.getOrDefault(match.group(1), List.of());
                  int index = match.group(2) == null ? 1 : Integer.parseInt(match.group(2));
                  return index > known.size() ? NO_SUCH_JOB : known.get(index - 1);
                });
    return plain
        .replace("@DIR@", folder.resolve("w").toString())
        .replace("@ETC@", folder.resolve("etc").toString());
  }

  private void command(GoldenCase.Run run) {
    Outcome outcome =
        INTERACTIVE.contains(run.words().getFirst())
            ? interactive(run)
            : run.words().contains("-W") ? await(run) : run(run.user(), run.words());
    remember(run.words(), outcome);
    said.append("[%d] %d%n%s%n".formatted(run.number(), outcome.exitCode(), outcome.text()));
    if (run.number() == 0) {
      return;
    }
    String line = String.join(" ", run.words()).replaceAll("\\s+", " ");
    String what =
        "command " + run.number() + " " + line.substring(0, Math.min(60, line.length())).strip();
    compareText(run, what, outcome.text());
    Integer expected = run.exitCode();
    if (expected != null) {
      agreement.check(
          what + " exit code", Integer.toString(expected), Integer.toString(outcome.exitCode()));
      if (run.text() != null) {
        agreement.check(what + " text", comparable(run.text()), comparable(outcome.text()));
      }
    }
  }

  private void compareText(GoldenCase.Run run, String what, String text) {
    String expected = golden.printed().get(run.number());
    if (expected != null) {
      String here = text.replace(folder.resolve("w").toString(), "@DIR@");
      boolean anyOrder = Printed.anyOrder(expected);
      String slurm = Printed.comparable(expected);
      String own = Printed.comparable(here);
      String recorded = anyOrder ? Printed.sorted(slurm) : slurm;
      agreement.check(
          what + " output",
          recorded,
          Printed.where(recorded, anyOrder ? Printed.sorted(own) : own));
    }
  }

  /** A command that waits for a job, while time goes on. */
  private Outcome await(GoldenCase.Run run) {
    CompletableFuture<Outcome> outcome =
        CompletableFuture.supplyAsync(() -> run(run.user(), run.words()));
    while (true) {
      try {
        return outcome.get(STEP_MILLIS, TimeUnit.MILLISECONDS);
      } catch (TimeoutException e) {
        controller.advanceTo(controller.clock().instant().plusSeconds(1));
        late = late.plusSeconds(1);
      } catch (InterruptedException | ExecutionException e) {
        throw new IllegalStateException(e);
      }
    }
  }

  /**
   * A command that may wait for resources: the schedulers look at once, as at each allocation. One
   * that was recorded under timeout(1) gets its signal when the time is over.
   */
  private Outcome interactive(GoldenCase.Run run) {
    RecordedMachine machine = new RecordedMachine(run.user());
    boolean timed = run.exitCode() != null && run.exitCode() == TIMED_OUT;
    CompletableFuture<Outcome> outcome =
        CompletableFuture.supplyAsync(() -> run(machine, run.user(), run.words()));
    while (true) {
      for (int look = 0; look < LOOKS_PER_SECOND; look++) {
        try {
          Outcome ended = outcome.get(STEP_MILLIS, TimeUnit.MILLISECONDS);
          return timed ? new Outcome(TIMED_OUT, ended.text()) : ended;
        } catch (TimeoutException e) {
          controller.passNow(false);
        } catch (InterruptedException | ExecutionException e) {
          throw new IllegalStateException(e);
        }
      }
      if (timed) {
        machine.signal("TERM");
      } else if (!timed) {
        controller.advanceTo(controller.clock().instant().plusSeconds(1));
      }
    }
  }

  private String comparable(String text) {
    String plain =
        PATH.matcher(text.replace(folder.resolve("w").toString(), "@DIR@"))
            .replaceAll("$1")
            .replaceAll("\\s+", " ")
            .strip();
    return plain.substring(0, Math.min(COMPARED_CHARACTERS, plain.length()));
  }

  private void remember(List<String> words, Outcome outcome) {
    if (!words.getFirst().equals("sbatch") || words.contains("--test-only")) {
      return;
    }
    Matcher id = JOB_ID.matcher(outcome.text());
    if (id.find()) {
      String name = "job";
      int option = words.indexOf("-J");
      if (option >= 0) {
        name = words.get(option + 1);
      }
      ids.computeIfAbsent(name, n -> new ArrayList<>()).add(id.group(1));
    }
  }

  private void look(String name) throws IOException {
    testNewJobs();
    Snapshot.Seen seen =
        new Snapshot.Seen(
            run("root", List.of("scontrol", "-d", "show", "job")).text(),
            run("root", List.of("scontrol", "-d", "show", "node")).text(),
            run("root", List.of("scontrol", "show", "res")).text(),
            run("root", List.of("sshare", "-l", "-a")).text(),
            controller.clock().instant().getEpochSecond());
    said.append("[%s]%n%s%n".formatted(name, seen.jobs()));
    Path file = golden.directory().resolve(name + ".txt");
    Snapshot.read(file, name, Tolerances.of(config)).compare(seen, agreement);
  }

  /** Jobs are tested as soon as they are submitted, though virtual time has not moved on. */
  private void testNewJobs() {
    Instant second = controller.clock().instant().truncatedTo(ChronoUnit.SECONDS);
    boolean isNew =
        controller.state().jobs().values().stream()
            .filter(j -> j.state() == JobState.PENDING && j.lastEvaluated() == null)
            .anyMatch(j -> !j.submitted().isBefore(second));
    if (isNew) {
      controller.testNow();
    }
  }

  private void clear() {
    String all = run("root", List.of("squeue", "-h", "-a", "-o", "%A")).text();
    List<String> words = new ArrayList<>(List.of("scancel"));
    all.lines().filter(line -> line.matches("\\d+")).distinct().forEach(words::add);
    if (words.size() > 1) {
      run("root", words);
    }
  }

  private void until(GoldenCase.Until until) {
    String id = resolved(until.job());
    Job job = id.matches("\\d+") ? controller.state().job(Integer.parseInt(id)) : null;
    if (job != null && job.state() == JobState.PENDING) {
      controller.passNow(false);
    }
  }

  @Override
  public void close() {
    server.close();
    for (AutoCloseable part : standby) {
      try {
        part.close();
      } catch (Exception e) {
        throw new IllegalStateException(e);
      }
    }
  }
}
