package dev.yardmaster.node;

import dev.yardmaster.controller.Command;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobScript;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.function.Supplier;

/** Starts batch scripts as processes of their users, each under a shim that keeps how it ended. */
final class BatchLauncher {
  private static final String SHIM_FILE = "shim";

  private final Supplier<NodeDaemon.Setup> present;
  private final Users users;
  private final Confinement confinement;

  /**
   * @param present what the daemon works with, of which settings may change
   * @throws IOException when the spool cannot be used
   */
  BatchLauncher(Supplier<NodeDaemon.Setup> present, Users users, Confinement confinement)
      throws IOException {
    this.confinement = confinement;
    this.present = present;
    this.users = users;
    Files.writeString(present.get().spool().resolve(SHIM_FILE), LaunchScript.SHIM);
  }

  /**
   * Starts a run.
   *
   * @param directory where everything about it is written
   * @return its shim
   */
  Process launch(Job job, JobScript script, RunDirectory directory) throws IOException {
    NodeDaemon.Setup setup = present.get();
    Command.RunningJob run = directory.run();
    String node = setup.spec().name();
    SortedMap<String, String> environment =
        JobEnvironment.of(
            job,
            script,
            setup.spec(),
            setup.clusterName(),
            setup.settings().packsNodes(),
            setup.settings().gpus());
    environment.put(
        JobEnvironment.MARKER, JobEnvironment.marker(run.jobId(), run.restarts(), setup.spool()));
    String text =
        LaunchScript.text(
            job, directory.script(), script.arguments(), environment, node, setup.settings());
    directory.create(
        job,
        script,
        text,
        new RunDirectory.Owner(
            job.owner().uid(), job.owner().gid(), LaunchScript.errorFile(job, node)),
        users.ownUid() != job.owner().uid());
    directory.saveMemory(MemoryGuard.limitMib(job, node));
    if (!setup.settings().taskEpilog().isEmpty()) {
      directory.runsEpilogOfTask();
    }
    return start(directory, job);
  }

  private Process start(RunDirectory directory, Job job) throws IOException {
    List<String> command = new ArrayList<>(Users.apart());
    command.add("/bin/sh");
    command.add(present.get().spool().resolve(SHIM_FILE).toString());
    command.add(directory.path().toString());
    command.add(confinement.batch(job, directory.run()));
    command.addAll(users.as(job.owner().uid(), job.owner().gid()));
    command.add("/bin/sh");
    command.add(directory.launchScript().toString());
    ProcessBuilder builder = new ProcessBuilder(command);
    builder.directory(Path.of("/").toFile());
    builder.environment().clear();
    builder.environment().putAll(LaunchScript.plainEnvironment());
    Path nothing = Path.of("/dev/null");
    builder.redirectInput(nothing.toFile());
    builder.redirectOutput(nothing.toFile());
    builder.redirectError(nothing.toFile());
    return builder.start();
  }
}
