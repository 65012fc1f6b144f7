package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * What came of one of several requests.
 *
 * @param failure why it was not done; null when it was
 */
record Attempt(List<String> request, List<String> notices, @Nullable ClientException failure) {
  /** Sends a request to the controller, and returns what that has to tell. */
  interface Sender {
    List<String> send(List<String> request) throws ClientException;
  }

  /** Makes all requests, several at once; the results come in the order of the requests. */
  static List<Attempt> all(List<List<String>> requests, int atOnce, Sender sender) {
    int threads = Math.min(atOnce, requests.size());
    if (threads < 2) {
      return requests.stream().map(request -> make(request, sender)).toList();
    }
    try (ExecutorService pool =
        Executors.newFixedThreadPool(threads, Thread.ofVirtual().factory())) {
      List<Future<Attempt>> sent =
          requests.stream().map(r -> pool.submit(() -> make(r, sender))).toList();
      List<Attempt> made = new ArrayList<>();
      for (Future<Attempt> attempt : sent) {
        made.add(attempt.get());
      }
      return made;
    } catch (ExecutionException e) {
      throw new IllegalStateException(e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }

  private static Attempt make(List<String> request, Sender sender) {
    try {
      return new Attempt(request, sender.send(request), null);
    } catch (ClientException e) {
      return new Attempt(request, List.of(), e);
    }
  }
}
