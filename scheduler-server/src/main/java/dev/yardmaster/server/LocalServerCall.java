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
import java.util.concurrent.LinkedBlockingQueue;

/**
 * A call over the local socket, as its handler sees it. What the handler answers is queued, from
 * whatever thread it comes, and the connection's thread sends it: a caller that reads slowly holds
 * up nobody else.
 */
final class LocalServerCall<Q, A> extends ServerCall<Q, A> {
  private final MethodDescriptor<Q, A> method;
  private final Attributes attributes;
  private final BlockingQueue<Out> queue = new LinkedBlockingQueue<>();
  private volatile boolean cancelled;
  private boolean closed;

  private sealed interface Out {
    byte[] frame();

    record More(byte[] frame) implements Out {}

    record Last(byte[] frame) implements Out {}
  }

  LocalServerCall(MethodDescriptor<Q, A> method, Attributes attributes) {
    this.method = method;
    this.attributes = attributes;
  }

  /** Lets the handler answer a request and sends what it says. */
  void run(ServerCallHandler<Q, A> handler, Metadata headers, byte[] request, LocalFrames frames)
      throws IOException {
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
      send(frames);
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

  private void send(LocalFrames frames) throws IOException, InterruptedException {
    while (true) {
      Out out = queue.take();
      frames.send(out.frame());
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
      queue.add(new Out.More(LocalFrames.frame(Kind.MESSAGE, content.readAllBytes())));
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
