package dev.yardmaster.api;

import com.google.protobuf.Timestamp;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.model.Diagnostics;
import dev.yardmaster.model.Immutable;
import java.time.Instant;
import java.util.List;

/** The controller's figures on the wire. */
public final class DiagnosticsWire {
  private DiagnosticsWire() {}

  public static Rpc.Diagnosis write(Diagnostics d) {
    Rpc.Diagnosis.Builder out =
        Rpc.Diagnosis.newBuilder()
            .setNow(time(d.now()))
            .setSince(time(d.since()))
            .putAllFigures(d.figures());
    d.byType().forEach(calls -> out.addByType(write(calls)));
    d.byUser().forEach(calls -> out.addByUser(write(calls)));
    return out.build();
  }

  private static Rpc.Diagnosis.Calls write(Diagnostics.Calls calls) {
    return Rpc.Diagnosis.Calls.newBuilder()
        .setName(calls.name())
        .setNumber(calls.number())
        .setCount(calls.count())
        .setTotalMicros(calls.totalMicros())
        .build();
  }

  public static Diagnostics read(Rpc.Diagnosis in) {
    return new Diagnostics(
        instant(in.getNow()),
        instant(in.getSince()),
        Immutable.sortedMap(in.getFiguresMap()),
        read(in.getByTypeList()),
        read(in.getByUserList()));
  }

  private static List<Diagnostics.Calls> read(List<Rpc.Diagnosis.Calls> calls) {
    return calls.stream()
        .map(
            c ->
                new Diagnostics.Calls(c.getName(), c.getNumber(), c.getCount(), c.getTotalMicros()))
        .toList();
  }

  private static Timestamp time(Instant instant) {
    return Timestamp.newBuilder()
        .setSeconds(instant.getEpochSecond())
        .setNanos(instant.getNano())
        .build();
  }

  private static Instant instant(Timestamp time) {
    return Instant.ofEpochSecond(time.getSeconds(), time.getNanos());
  }
}
