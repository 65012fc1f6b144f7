package dev.yardmaster.node;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.controller.ControllerParts;
import dev.yardmaster.controller.DefaultController;
import dev.yardmaster.controller.EngineAdmission;
import dev.yardmaster.controller.NodeLinks;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.engine.Engine;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.journal.SqliteJournal;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.Node;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * A controller and the daemons of all nodes of a configuration, without a wire between them. State
 * and spools lie in a folder, so that both sides can be stopped and started again.
 */
final class DaemonLab implements AutoCloseable {
  /** Who runs the tests, and so the jobs. */
  static final Identity ME =
      new Identity(System.getProperty("user.name"), new Users().ownUid(), "", 0);

  private final ClusterConfig config;
  private final Path directory;
  private final NodeLinks links = new NodeLinks();
  private final List<NodeDaemon> daemons = new ArrayList<>();
  private Controller controller;

  DaemonLab(ClusterConfig config, Path directory) throws IOException {
    this.config = config;
    this.directory = directory;
    links.runPrograms();
    controller = newController();
    startDaemons();
  }

  Controller controller() {
    return controller;
  }

  /** Ends the controller and the daemons; jobs go on. */
  void stopAll() {
    controller.close();
    stopDaemons();
  }

  /** Ends the daemons; jobs and steps go on. */
  void stopDaemons() {
    daemons.forEach(NodeDaemon::close);
    daemons.clear();
  }

  /** Starts a controller on what the last one left; the daemons do not run yet. */
  void startController() {
    controller = newController();
  }

  void startDaemons() throws IOException {
    for (var spec : config.nodes()) {
      NodeDaemon daemon =
          new NodeDaemon(
              new NodeDaemon.Setup(
                  spec,
                  "lab",
                  directory.resolve("spool-" + spec.name()),
                  false,
                  "0.1",
                  NodeSettings.of(config, directory)));
      daemons.add(daemon);
      links.attach(spec.name(), daemon);
      daemon.connected(controller::handle);
    }
  }

  private Controller newController() {
    return DefaultController.start(
        new ControllerParts(
            SqliteJournal.open(directory.resolve("state")),
            Engine::step,
            new EngineAdmission(),
            links,
            () -> config,
            InstantSource.system(),
            ZoneOffset.UTC,
            ControllerParts.Tuning.DEFAULT));
  }

  Reply handle(Command command) throws Exception {
    return controller.handle(command).toCompletableFuture().get(20, TimeUnit.SECONDS);
  }

  /** Submits a script of {@code sh} in the folder of the lab, and returns the id of the job. */
  int submit(String script, String... options) throws Exception {
    Reply reply =
        handle(
            new Command.Submit(
                ME,
                TestCluster.submission(options)
                    .with(
                        s ->
                            s.script("#!/bin/sh\n" + script + "\n")
                                .workDir(directory.toString())
                                .environment(
                                    Immutable.sortedMap(Map.of("PATH", "/usr/bin:/bin"))))));
    assertThat(reply).isInstanceOf(Reply.Submitted.class);
    return ((Reply.Submitted) reply).jobId();
  }

  /** The job as soon as it is as wanted; fails after 30 seconds. */
  Job await(int id, Predicate<Job> wanted) throws Exception {
    CompletableFuture<Job> reached = new CompletableFuture<>();
    Runnable unfollow =
        controller.follow(
            new Controller.Follower() {
              @Override
              public void start(ClusterState state, long sequence) {
                look(state.job(id));
              }

              @Override
              public void next(List<Event> events, ClusterState after, long sequence) {
                look(after.job(id));
              }

              private void look(@Nullable Job job) {
                if (job != null && wanted.test(job)) {
                  reached.complete(job);
                }
              }
            });
    try {
      return reached.get(30, TimeUnit.SECONDS);
    } finally {
      unfollow.run();
    }
  }

  /** A node as soon as it is as wanted; fails after 30 seconds. */
  Node awaitNode(String name, Predicate<Node> wanted) throws Exception {
    CompletableFuture<Node> reached = new CompletableFuture<>();
    Runnable unfollow =
        controller.follow(
            new Controller.Follower() {
              @Override
              public void start(ClusterState state, long sequence) {
                look(state.node(name));
              }

              @Override
              public void next(List<Event> events, ClusterState after, long sequence) {
                look(after.node(name));
              }

              private void look(@Nullable Node node) {
                if (node != null && wanted.test(node)) {
                  reached.complete(node);
                }
              }
            });
    try {
      return reached.get(30, TimeUnit.SECONDS);
    } finally {
      unfollow.run();
    }
  }

  Job awaitEnd(int id) throws Exception {
    return await(id, j -> j.state().isFinished() && !j.holdsResources());
  }

  /** A script tells by a file how far it is; no event tells of files. */
  void awaitFile(String name) throws InterruptedException {
    for (int i = 0; i < 600 && !Files.exists(directory.resolve(name)); i++) {
      Thread.sleep(50);
    }
    assertThat(directory.resolve(name)).exists();
  }

  @Override
  public void close() {
    stopAll();
  }
}
