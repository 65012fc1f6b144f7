package dev.yardmaster.server;

import dev.yardmaster.accounting.JobRecords;
import dev.yardmaster.client.Endpoint;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.controller.VirtualController;
import dev.yardmaster.engine.explain.Explainer;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.security.Authenticator;
import dev.yardmaster.security.TokenKey;
import java.io.IOException;
import java.net.InetAddress;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The services on a loopback port of their own, before any controller. */
public final class TestServer implements AutoCloseable {
  private final RpcServer server;
  private final CountDownLatch shutdown = new CountDownLatch(1);

  private TestServer(
      int port,
      Controller controller,
      InstantSource clock,
      ZoneId zone,
      Authenticator authenticator)
      throws IOException {
    SortedMap<String, String> environment = new TreeMap<>();
    ServerCard card = new ServerCard("vm", "primary", "slurm", Instant.EPOCH, zone, false, clock);
    RpcCounts counts = new RpcCounts();
    SchedulerService service =
        new SchedulerService(
            controller,
            new Explanations(
                controller,
                (state, job, now) -> Explainer.explain(state, job.id(), now),
                null,
                clock),
            id ->
                controller instanceof VirtualController virtual
                    ? virtual.script(id)
                    : id == 1
                        ? Optional.of(new JobScript("#!/bin/sh\ntrue\n", List.of(), environment))
                        : Optional.empty(),
            new RecordAnswers(
                controller,
                controller instanceof VirtualController virtual
                    ? virtual.records()
                    : JobRecords.none(),
                card),
            new TokenIssuer(TokenKey::random),
            card,
            counts,
            Auditor.none(),
            shutdown::countDown);
    server =
        RpcServer.start(
            InetAddress.getLoopbackAddress(),
            port,
            authenticator,
            counts,
            List.of(
                service,
                new TriggerService(
                    new TriggerBook(List.of(), all -> {}, (program, what) -> {}, clock),
                    controller::state)));
  }

  public static TestServer of(Controller controller, InstantSource clock, ZoneId zone)
      throws IOException {
    return new TestServer(0, controller, clock, zone, Authenticator.none());
  }

  public static TestServer of(Controller controller, Authenticator authenticator)
      throws IOException {
    return new TestServer(
        0, controller, InstantSource.system(), ZoneId.systemDefault(), authenticator);
  }

  /** On a port that an earlier server has left. */
  static TestServer on(int port, Controller controller) throws IOException {
    return new TestServer(
        port, controller, InstantSource.system(), ZoneId.systemDefault(), Authenticator.none());
  }

  /** A controller that stands by, and whom root may tell to take control. */
  public static AutoCloseable standby(String address, int port) throws IOException {
    return Standby.start(
        InetAddress.getByName(address),
        port,
        Authenticator.none(),
        Identity::isRoot,
        () -> {},
        () -> {});
  }

  public Endpoint endpoint() {
    return new Endpoint("127.0.0.1", server.port());
  }

  public boolean wasShutDown() {
    return shutdown.getCount() == 0;
  }

  /** Waits for the end, which comes after the answer. */
  public boolean awaitShutdown() throws InterruptedException {
    return shutdown.await(10, TimeUnit.SECONDS);
  }

  @Override
  public void close() {
    server.close();
  }
}
