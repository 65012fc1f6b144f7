package dev.yardmaster.server;

import dev.yardmaster.api.LocalFrames;
import dev.yardmaster.api.LocalFrames.Closing;
import dev.yardmaster.api.LocalFrames.Kind;
import io.grpc.Attributes;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * A call over the local socket, as its handler sees it. What the handler answers is queued, from
 * whatever thread it comes, and sent when the handler has returned, or by a thread beside it once
 * that is much: a caller that reads slowly holds up nobody else, and a handler that asks whether
 * there is room need not have the whole answer in memory.
 */
final class LocalServerCall<Q, A> extends ServerCall<Q, A> {
  private final MethodDescriptor<Q, A> method;
  private final Attributes attributes;

  /** There is room while less than so many bytes are queued. */
  private static final int ROOM = 2 << 20;

  private final BlockingQueue<Out> queue = new LinkedBlockingQueue<>();
  private final AtomicLong queued = new AtomicLong();
  private final LocalFrames frames;

  /** Sends beside the handler; completes with its end. Null while nothing is sent beside it. */
  private @Nullable CompletableFuture<Void> beside;

  private volatile boolean cancelled;
  private boolean closed;

  private sealed interface Out {
    byte[] frame();

    record More(byte[] frame) implements Out {}

    record Last(byte[] frame) implements Out {}
  }

  LocalServerCall(MethodDescriptor<Q, A> method, Attributes attributes, LocalFrames frames) {
    this.method = method;
    this.attributes = attributes;
    this.frames = frames;
  }

  /** Lets the handler answer a request and sends what it says. */
  void run(ServerCallHandler<Q, A> handler, Metadata headers, byte[] request) throws IOException {
    ServerCall.Listener<Q> listener;
    try {
      listener = handler.startCall(this, headers);
      if (!closed()) {
        listener.onMessage(method.parseRequest(new ByteArrayInputStream(request)));
        listener.onHalfClose();
      }
    } catch (RuntimeException e) {
      Metadata trailers = Status.trailersFromThrowable(e);
      close(Status.fromThrowable(e), trailers == null ? new Metadata() : trailers);
      listener = new ServerCall.Listener<>() {};
    }
    try {
      CompletableFuture<Void> sending = beside();
      if (sending == null) {
        send();
      } else {
        await(sending);
      }
      listener.onComplete();
    } catch (IOException e) {
      cancelled = true;
      listener.onCancel();
      throw e;
    } catch (InterruptedException e) {
      cancelled = true;
      listener.onCancel();
      Thread.currentThread().interrupt();
    }
  }

  private synchronized @Nullable CompletableFuture<Void> beside() {
    return beside;
  }

  private static void await(CompletableFuture<Void> sending)
      throws IOException, InterruptedException {
    try {
      sending.get();
    } catch (ExecutionException e) {
      throw new IOException(e.getCause());
    }
  }

  private synchronized void sendBeside() {
    if (beside == null) {
      CompletableFuture<Void> sending = new CompletableFuture<>();
      beside = sending;
      Thread.ofVirtual()
          .name("local-answer")
          .start(
              () -> {
                try {
                  send();
                  sending.complete(null);
                } catch (IOException | InterruptedException | RuntimeException e) {
                  cancelled = true;
                  sending.completeExceptionally(e);
                }
              });
    }
  }

  @Override
  public boolean isReady() {
    if (queued.get() < ROOM) {
      return true;
    }
    sendBeside();
    return false;
  }

  private void send() throws IOException, InterruptedException {
    while (true) {
      Out out = queue.take();
      frames.send(out.frame());
      queued.addAndGet(-out.frame().length);
      if (out instanceof Out.Last) {
        return;
      }
    }
  }

  @Override
  public void request(int messages) {
    // The one request there is was read before the handler was called.
  }

  @Override
  public void sendHeaders(Metadata headers) {
    // The services answer without headers.
  }

  @Override
  public void sendMessage(A message) {
    try (InputStream content = method.streamResponse(message)) {
      byte[] frame = LocalFrames.frame(Kind.MESSAGE, content.readAllBytes());
      queued.addAndGet(frame.length);
      queue.add(new Out.More(frame));
    } catch (IOException e) {
      throw new IllegalStateException("an answer that cannot be written", e);
    }
  }

  @Override
  public synchronized void close(Status status, Metadata trailers) {
    if (!closed) {
      closed = true;
      queue.add(new Out.Last(LocalFrames.close(new Closing(status, trailers))));
    }
  }

  private synchronized boolean closed() {
    return closed;
  }

  @Override
  public boolean isCancelled() {
    return cancelled;
  }

  @Override
  public MethodDescriptor<Q, A> getMethodDescriptor() {
    return method;
  }

  @Override
  public Attributes getAttributes() {
    return attributes;
  }
}
