package dev.yardmaster.failover;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.ControllerFinder;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.Immutable;
import dev.yardmaster.model.JobSubmission;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A process that submits jobs as fast as they are taken, until its input ends, and says of each
 * which one was acknowledged: {@code ack NAME ID MILLIS}.
 */
final class Submitter {
  private static final int AT_ONCE = 3;
  static final int ONE_RUNS_OF = 10;

  private Submitter() {}

  /** Takes slurm.conf, and the file to which each job that runs adds its name. */
  public static void main(String[] arguments)
      throws ClientException, IOException, InterruptedException {
    Path conf = Path.of(arguments[0]);
    List<ControllerFinder.Controller> controllers = ControllerFinder.find(conf);
    AtomicInteger next = new AtomicInteger();
    AtomicBoolean ends = new AtomicBoolean();
    Thread[] threads = new Thread[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++) {
      SchedulerClient client =
          DefaultSchedulerClient.of(
              controllers.stream().map(ControllerFinder.Controller::endpoint).toList(),
              Credential.ofProcess((Path) null),
              DefaultSchedulerClient.DEADLINE,
              Duration.ofSeconds(60));
      threads[i] = Thread.ofPlatform().start(() -> submit(client, next, ends, arguments[1]));
    }
    while (System.in.read() >= 0) {
      continue;
    }
    ends.set(true);
    for (Thread thread : threads) {
      thread.join();
    }
  }

  private static void submit(
      SchedulerClient client, AtomicInteger next, AtomicBoolean ends, String ran) {
    while (!ends.get()) {
      int number = next.incrementAndGet();
      try {
        int id = client.submit(job(number, ran)).jobId();
        say("ack load-" + number + " " + id + " " + System.currentTimeMillis());
        Thread.sleep(10);
      } catch (ClientException e) {
        say("failed load-" + number + " " + e.text());
      } catch (InterruptedException e) {
        return;
      }
    }
  }

  private static synchronized void say(String line) {
    System.out.println(line);
    System.out.flush();
  }

  private static JobSubmission job(int number, String ran) {
    String name = "load-" + number;
    boolean runs = number % ONE_RUNS_OF == 0;
    Map<String, String> options =
        runs
            ? Map.of("job-name", name, "output", "/dev/null", "time", "5")
            : Map.of("job-name", name, "output", "/dev/null", "hold", "");
    return new JobSubmission(
        Immutable.sortedMap(options),
        "#!/bin/sh\necho " + name + " >> " + ran + "\nsleep 1\n",
        List.of(),
        Immutable.sortedMap(Map.of("PATH", "/usr/bin:/bin")),
        "",
        "sbatch",
        "/",
        "head");
  }
}
