package dev.yardmaster.server;

import dev.yardmaster.accounting.JobRecords;
import dev.yardmaster.api.RecordWire;
import dev.yardmaster.api.v1.WireRecords;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.model.JobRecord;
import dev.yardmaster.model.UsageReport;
import dev.yardmaster.security.Authenticator;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.time.Instant;
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

  void answer(WireRecords.RecordQuery request, StreamObserver<WireRecords.Records> answer) {
    Privacy privacy = new Privacy(controller.state(), Authenticator.caller());
    Parts parts = new Parts(answer);
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
      answer.onCompleted();
    } catch (RuntimeException e) {
      LOG.error("the records cannot be read", e);
      answer.onError(Status.INTERNAL.withDescription("read records: " + e).asRuntimeException());
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
      LOG.error("the usage cannot be added up", e);
      answer.onError(Status.INTERNAL.withDescription("read usage: " + e).asRuntimeException());
    }
  }

  private static final class Parts {
    private final StreamObserver<WireRecords.Records> answer;
    private WireRecords.Records.Builder part = WireRecords.Records.newBuilder();

    Parts(StreamObserver<WireRecords.Records> answer) {
      this.answer = answer;
    }

    void add(JobRecord record) {
      part.addRecords(RecordWire.write(record));
      if (part.getRecordsCount() >= PART) {
        flush();
      }
    }

    void flush() {
      if (part.getRecordsCount() > 0) {
        answer.onNext(part.build());
        part = WireRecords.Records.newBuilder();
      }
    }
  }
}
