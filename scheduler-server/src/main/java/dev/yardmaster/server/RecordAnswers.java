package dev.yardmaster.server;

import dev.yardmaster.accounting.JobRecords;
import dev.yardmaster.api.RecordWire;
import dev.yardmaster.api.v1.WireRecords;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.engine.state.Moment;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.UsageReport;
import dev.yardmaster.security.Authenticator;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the records of accounting to those who may see them, in parts. */
final class RecordAnswers {
  private static final Logger LOG = LoggerFactory.getLogger(RecordAnswers.class);
  private static final int PART = 200;

  private final Controller controller;
  private final JobRecords records;
  private final ServerCard card;

  RecordAnswers(Controller controller, JobRecords records, ServerCard card) {
    this.controller = controller;
    this.records = records;
    this.card = card;
  }

  /** What sdiag(1) reports of the controller, of its requests and of what is not recorded yet. */
  SortedMap<String, Long> figures(RpcCounts counts) {
    Moment present = controller.present();
    TreeMap<String, Long> figures = new TreeMap<>(controller.statistics().figures(present.state()));
    figures.put("server_thread_count", (long) counts.underWay());
    figures.put("dbd_agent_queue_size", Math.max(0, present.sequence() - records.recorded()));
    return figures;
  }

  /** Answers on a thread of its own, which waits while the reader does. */
  void answer(WireRecords.RecordQuery request, StreamObserver<WireRecords.Records> answer) {
    Privacy privacy = new Privacy(controller.state(), Authenticator.caller());
    Parts parts = new Parts(answer);
    Thread.ofVirtual().name("records").start(() -> answer(request, privacy, parts));
  }

  private void answer(WireRecords.RecordQuery request, Privacy privacy, Parts parts) {
    try {
      records.find(
          RecordWire.read(request),
          card.now(),
          record -> {
            if (privacy.shows(record.job())) {
              parts.add(record);
            }
          });
      parts.flush();
      parts.answer.onCompleted();
    } catch (GoneException e) {
      LOG.debug("a reader of records has gone");
    } catch (RuntimeException e) {
      parts.answer.onError(CommandCalls.failure("read records", e));
    }
  }

  void answer(WireRecords.UsageQuery request, StreamObserver<WireRecords.UsageReport> answer) {
    Privacy privacy = new Privacy(controller.state(), Authenticator.caller());
    try {
      UsageReport report =
          records.usage(
              Instant.ofEpochSecond(request.getStart()),
              Instant.ofEpochSecond(request.getEnd()),
              card.now());
      answer.onNext(RecordWire.write(privacy.of(report)));
      answer.onCompleted();
    } catch (RuntimeException e) {
      answer.onError(CommandCalls.failure("read usage", e));
    }
  }

  /** The reader does not listen any more. */
  private static final class GoneException extends RuntimeException {
    private static final long serialVersionUID = 1L;
  }

  private static final class Parts {
    private final StreamObserver<WireRecords.Records> answer;
    private final Semaphore changed = new Semaphore(0);
    private WireRecords.Records.Builder part = WireRecords.Records.newBuilder();

    Parts(StreamObserver<WireRecords.Records> answer) {
      this.answer = answer;
      if (answer instanceof ServerCallStreamObserver<WireRecords.Records> reader) {
        reader.setOnReadyHandler(changed::release);
        reader.setOnCancelHandler(changed::release);
      }
    }

    void add(JobRecord record) {
      part.addRecords(RecordWire.write(record));
      if (part.getRecordsCount() >= PART) {
        flush();
      }
    }

    void flush() {
      if (part.getRecordsCount() > 0) {
        awaitReader();
        answer.onNext(part.build());
        part = WireRecords.Records.newBuilder();
      }
    }

    private void awaitReader() {
      if (answer instanceof ServerCallStreamObserver<WireRecords.Records> reader) {
        while (!reader.isReady() && !reader.isCancelled()) {
          changed.acquireUninterruptibly();
        }
        if (reader.isCancelled()) {
          throw new GoneException();
        }
      }
    }
  }
}
