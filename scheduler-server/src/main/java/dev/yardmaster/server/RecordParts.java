package dev.yardmaster.server;

import dev.yardmaster.api.RecordWire;
import dev.yardmaster.api.v1.WireRecords;
import dev.yardmaster.model.JobRecord;
import io.grpc.stub.StreamObserver;

/** Sends records in parts. */
final class RecordParts {
  private static final int PART = 200;

  private final StreamObserver<WireRecords.Records> answer;
  private WireRecords.Records.Builder part = WireRecords.Records.newBuilder();

  RecordParts(StreamObserver<WireRecords.Records> answer) {
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
