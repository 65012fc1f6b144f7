package dev.yardmaster.client;

import dev.yardmaster.api.LocalFrames;
import dev.yardmaster.api.LocalFrames.Closing;
import dev.yardmaster.api.LocalFrames.Frame;
import dev.yardmaster.api.LocalFrames.Kind;
import io.grpc.ClientCall;
import io.grpc.Deadline;
import io.grpc.Metadata;
import io.grpc.MethodDescriptor;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.channels.SocketChannel;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A call over the local socket by a caller who waits for the answer: it is read on the caller's own
 * thread when the caller asks for it, so that a command needs no other.
 */
final class LocalCall<Q, A> extends ClientCall<Q, A> {
  /** One thread for all calls, made with the first. */
  private static final ScheduledThreadPoolExecutor WATCH = watch();

  private final MethodDescriptor<Q, A> method;
  private final SocketChannel socket;
  private final LocalFrames frames;
  private final @Nullable Deadline deadline;

  private Listener<A> listener = new Listener<>() {};
  private byte[] opening = {};
  private byte[] request = {};
  private int wanted;
  private boolean sent;
  private boolean ended;
  private volatile boolean late;
  private @Nullable ScheduledFuture<?> watch;

  private static ScheduledThreadPoolExecutor watch() {
    ScheduledThreadPoolExecutor watch =
        new ScheduledThreadPoolExecutor(
            1,
            work -> {
              Thread thread = new Thread(work, "deadline");
              thread.setDaemon(true);
              return thread;
            });
    watch.setRemoveOnCancelPolicy(true);
    return watch;
  }

  LocalCall(
      MethodDescriptor<Q, A> method,
      SocketChannel socket,
      int longestMessage,
      @Nullable Deadline deadline) {
    this.method = method;
    this.socket = socket;
    this.frames = new LocalFrames(socket, longestMessage);
    this.deadline = deadline;
  }

  @Override
  public void start(Listener<A> responses, Metadata headers) {
    listener = responses;
    opening = LocalFrames.open(new LocalFrames.Opening(method.getFullMethodName(), headers));
  }

  @Override
  public void sendMessage(Q message) {
    try (InputStream content = method.streamRequest(message)) {
      request = LocalFrames.frame(Kind.MESSAGE, content.readAllBytes());
    } catch (IOException e) {
      throw new IllegalArgumentException("a request that cannot be written", e);
    }
  }

  @Override
  public void halfClose() {
    if (deadline != null) {
      watch =
          WATCH.schedule(
              this::endLate, deadline.timeRemaining(TimeUnit.NANOSECONDS), TimeUnit.NANOSECONDS);
    }
    try {
      frames.send(opening, request, LocalFrames.frame(Kind.END, new byte[0]));
      sent = true;
    } catch (IOException e) {
      lost(e);
      return;
    }
    receive();
  }

  @Override
  public void request(int messages) {
    wanted += messages;
    if (sent) {
      receive();
    }
  }

  @Override
  public void cancel(@Nullable String message, @Nullable Throwable cause) {
    end(Status.CANCELLED.withDescription(message).withCause(cause), new Metadata());
  }

  private void receive() {
    try {
      while (wanted > 0 && !ended) {
        Frame frame = frames.receive();
        if (frame == null) {
          throw new EOFException("the controller has ended the connection");
        }
        take(frame);
      }
    } catch (IOException e) {
      lost(e);
    }
  }

  private void take(Frame frame) throws IOException {
    switch (frame.kind()) {
      case MESSAGE -> {
        wanted--;
        listener.onMessage(method.parseResponse(new ByteArrayInputStream(frame.content())));
      }
      case CLOSE -> {
        Closing closing = LocalFrames.closing(frame.content());
        end(closing.status(), closing.trailers());
      }
      case OPEN, END -> throw new IOException("a frame " + frame.kind() + " in an answer");
    }
  }

  private void lost(IOException failure) {
    end(
        late
            ? Status.DEADLINE_EXCEEDED
            : Status.UNAVAILABLE.withDescription(failure.getMessage()).withCause(failure),
        new Metadata());
  }

  private void end(Status status, Metadata trailers) {
    if (!ended) {
      ended = true;
      if (watch != null) {
        watch.cancel(false);
      }
      close();
      listener.onClose(status, trailers);
    }
  }

  /** Ends the wait of the other thread by closing what it waits for. */
  private void endLate() {
    late = true;
    close();
  }

  private void close() {
    try {
      socket.close();
    } catch (IOException e) {
      // Nothing more is wanted of it.
    }
  }
}
