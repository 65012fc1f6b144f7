package dev.yardmaster.client;

import dev.yardmaster.api.ClusterWire;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.SchedulerGrpc;
import dev.yardmaster.model.JobSubmission;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Semaphore;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Many submissions over one call, none of which waits for the answer to the one before. Safe for
 * use by several threads. When the call ends early, what has no answer yet fails with {@link
 * ClientException.Unreachable}, and it is not known whether it was accepted.
 */
public final class SubmissionStream implements AutoCloseable {
  private static final int LIMIT = 1_024;

  private final Endpoint endpoint;
  private final UnaryOperator<JobSubmission> marker;
  private final StreamObserver<Rpc.NumberedSubmission> requests;
  private final Semaphore room = new Semaphore(LIMIT);
  private final Map<Long, CompletableFuture<SchedulerClient.Submitted>> open =
      new ConcurrentHashMap<>();

  // Guarded by this.
  private long number;
  private @Nullable RuntimeException end;

  SubmissionStream(
      SchedulerGrpc.SchedulerStub stub, Endpoint endpoint, UnaryOperator<JobSubmission> marker) {
    this.endpoint = endpoint;
    this.marker = marker;
    this.requests = stub.submitMany(new Answers());
  }

  /**
   * Sends a submission; waits only while very many have no answer.
   *
   * @return completes once the job is durable, else with a {@link ClientException}
   */
  public CompletableFuture<SchedulerClient.Submitted> submit(JobSubmission submission)
      throws InterruptedException {
    Rpc.NumberedSubmission.Builder request =
        Rpc.NumberedSubmission.newBuilder()
            .setSubmission(ClusterWire.write(marker.apply(submission)));
    CompletableFuture<SchedulerClient.Submitted> answer = new CompletableFuture<>();
    room.acquire();
    synchronized (this) {
      if (end != null) {
        room.release();
        answer.completeExceptionally(Calls.failure(end, endpoint));
      } else {
        open.put(++number, answer);
        requests.onNext(request.setNumber(number).build());
      }
    }
    return answer;
  }

  private synchronized void end(RuntimeException why) {
    if (end == null) {
      end = why;
    }
    open.keySet()
        .forEach(
            key -> {
              CompletableFuture<SchedulerClient.Submitted> lost = open.remove(key);
              if (lost != null) {
                room.release();
                lost.completeExceptionally(Calls.failure(why, endpoint));
              }
            });
  }

  /** Takes no more; what was sent is still answered. */
  @Override
  public synchronized void close() {
    if (end == null) {
      end = Status.CANCELLED.withDescription("closed").asRuntimeException();
      requests.onCompleted();
    }
  }

  private final class Answers implements StreamObserver<Rpc.NumberedReply> {
    @Override
    public void onNext(Rpc.NumberedReply reply) {
      CompletableFuture<SchedulerClient.Submitted> answer = open.remove(reply.getNumber());
      if (answer == null) {
        return;
      }
      room.release();
      try {
        answer.complete(Replies.submitted(reply.getReply()));
      } catch (ClientException e) {
        answer.completeExceptionally(e);
      }
    }

    @Override
    public void onError(Throwable failure) {
      end(Status.fromThrowable(failure).asRuntimeException(Status.trailersFromThrowable(failure)));
    }

    @Override
    public void onCompleted() {
      end(Status.UNAVAILABLE.withDescription("the controller ended the call").asRuntimeException());
    }
  }
}
