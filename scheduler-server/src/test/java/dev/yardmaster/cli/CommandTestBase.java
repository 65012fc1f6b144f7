package dev.yardmaster.cli;

import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.server.ScriptedController;
import dev.yardmaster.server.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.io.TempDir;

/** A small cluster behind a real connection, and the commands in front of it. */
abstract class CommandTestBase {
  @TempDir protected Path folder;

  protected final Lab lab =
      Lab.with()
          .nodes("n[1-4]")
          .nodes("n5", spec -> spec.withFeatures(List.of("slow")))
          .partition("main", "n[1-4]", p -> p.withIsDefault(true))
          .partition("slow", "n5", p -> p.withPriorityTier(3))
          .partition("secret", "n5", p -> p.withHidden(true))
          .setting("AccountingStorageTRES", "gres/gpu")
          .build();

  private @Nullable TestServer server;
  private @Nullable ScriptedController controller;

  /** Serves what the lab has now. */
  protected Captured serve() throws IOException {
    ScriptedController scripted = new ScriptedController(lab.state());
    TestServer started = TestServer.of(scripted, InstantSource.fixed(lab.now()), ZoneOffset.UTC);
    controller = scripted;
    server = started;
    Path conf = folder.resolve("slurm.conf");
    Files.writeString(
        conf,
        "ClusterName=lab\nSlurmctldHost=vm(127.0.0.1)\nSlurmctldPort="
            + started.endpoint().port()
            + "\n");
    return new Captured().config(conf).at(lab.now()).in(folder);
  }

  /** Serves what the lab has now, after an earlier state was served. */
  protected Captured serveAgain() throws IOException {
    stop();
    return serve();
  }

  protected ScriptedController controller() {
    if (controller == null) {
      throw new IllegalStateException("serve first");
    }
    return controller;
  }

  /** The configuration of a cluster that nobody serves. */
  protected Captured serverDown() throws IOException {
    Path conf = folder.resolve("slurm.conf");
    Files.writeString(conf, "SlurmctldHost=vm(127.0.0.1)\nSlurmctldPort=1\nMessageTimeout=0\n");
    return new Captured().config(conf).at(lab.now()).in(folder);
  }

  /** Two jobs that run, and several that wait for different reasons. */
  protected void fill() {
    lab.submit(JobSpec.job("whole").user("bob").nodes(3).exclusive().minutes(90));
    lab.submit(JobSpec.job("gpus").gpus(2).minutes(30));
    lab.pass();
    lab.submit(JobSpec.job("big").user("carol").nodes(4).exclusive().minutes(600));
    lab.submit(JobSpec.job("name with | and =").held());
    lab.submit(JobSpec.job("deps").after("afterok:4"));
    lab.submit(JobSpec.job("arr").array(6, 2).user("dave").p("slow"));
    lab.pass();
    lab.advanceMinutes(1);
  }

  @AfterEach
  void stop() {
    if (server != null) {
      server.close();
    }
  }
}
