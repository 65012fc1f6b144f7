package dev.yardmaster.server;

import dev.yardmaster.api.v1.NodeRpc;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.model.Diagnostics;
import dev.yardmaster.model.Identity;
import dev.yardmaster.security.Authenticator;
import io.grpc.ForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts requests by kind and by user, under the names and numbers of Slurm's messages. The time of
 * a request is that of its handler's thread.
 */
final class RpcCounts implements ServerInterceptor {
  private static final Map<String, Kind> KINDS =
      Map.ofEntries(
          Map.entry("Info", new Kind("REQUEST_PING", 1008)),
          Map.entry("Config", new Kind("REQUEST_BUILD_INFO", 2001)),
          Map.entry("Diagnose", new Kind("REQUEST_STATS_INFO", 2035)),
          Map.entry("ReadScript", new Kind("REQUEST_BATCH_SCRIPT", 2051)),
          Map.entry("ReadAccounting", new Kind("REQUEST_SHARE_INFO", 2022)),
          Map.entry("ChangeAccounting", new Kind("ACCOUNTING_UPDATE_MSG", 10001)),
          Map.entry("Submit", new Kind("REQUEST_SUBMIT_BATCH_JOB", 4003)),
          Map.entry("SubmitMany", new Kind("REQUEST_SUBMIT_BATCH_JOB", 4003)),
          Map.entry("TestOnly", new Kind("REQUEST_JOB_WILL_RUN", 4012)),
          Map.entry("UpdateJobs", new Kind("REQUEST_UPDATE_JOB", 3001)),
          Map.entry("SubmitHet", new Kind("REQUEST_SUBMIT_BATCH_HET_JOB", 4027)),
          Map.entry("SaveCrontab", new Kind("REQUEST_UPDATE_CRONTAB", 2202)),
          Map.entry("ReadCrontab", new Kind("REQUEST_CRONTAB", 2200)),
          Map.entry("NotifyJob", new Kind("REQUEST_JOB_NOTIFY", 4022)),
          Map.entry("SuspendJobs", new Kind("REQUEST_SUSPEND", 5014)),
          Map.entry("TopJobs", new Kind("REQUEST_TOP_JOB", 5038)),
          Map.entry("RequeueJobs", new Kind("REQUEST_JOB_REQUEUE", 5023)),
          Map.entry("CancelJobs", new Kind("REQUEST_KILL_JOB", 5032)),
          Map.entry("UpdateNodes", new Kind("REQUEST_UPDATE_NODE", 3002)),
          Map.entry("CreatePartition", new Kind("REQUEST_CREATE_PARTITION", 3003)),
          Map.entry("DeletePartition", new Kind("REQUEST_DELETE_PARTITION", 3004)),
          Map.entry("UpdatePartition", new Kind("REQUEST_UPDATE_PARTITION", 3005)),
          Map.entry("DeleteReservation", new Kind("REQUEST_DELETE_RESERVATION", 3008)),
          Map.entry("Reconfigure", new Kind("REQUEST_RECONFIGURE", 1003)),
          Map.entry("Shutdown", new Kind("REQUEST_SHUTDOWN", 1005)));
  private static final Kind UPDATE_JOB = new Kind("REQUEST_UPDATE_JOB", 3001);

  private final Map<Kind, Sum> byType =
      new TreeMap<>(Comparator.comparing(Kind::number).thenComparing(Kind::name));
  private final Map<Kind, Sum> byUser =
      new TreeMap<>(Comparator.comparing(Kind::number).thenComparing(Kind::name));

  private final AtomicInteger underWay = new AtomicInteger();

  private record Kind(String name, long number) {}

  private record Sum(long count, long micros) {
    Sum plus(long more) {
      return new Sum(count + 1, micros + more);
    }
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Identity caller = Authenticator.caller();
    String method = String.valueOf(call.getMethodDescriptor().getBareMethodName());
    return new ForwardingServerCallListener.SimpleForwardingServerCallListener<>(
        next.startCall(call, headers)) {
      private Kind kind = KINDS.getOrDefault(method, UPDATE_JOB);
      private boolean answered;

      @Override
      public void onMessage(Q message) {
        kind = kind(method, message);
        boolean many = message instanceof Rpc.NumberedSubmission;
        boolean report = many || message instanceof NodeRpc.NodeReport;
        long begin = System.nanoTime();
        super.onMessage(message);
        if (report && !kind.equals(UPDATE_JOB)) {
          count(kind, caller, (System.nanoTime() - begin) / 1000);
        }
      }

      @Override
      public void onHalfClose() {
        long begin = System.nanoTime();
        underWay.incrementAndGet();
        try {
          super.onHalfClose();
        } finally {
          underWay.decrementAndGet();
        }
        if (!answered && !method.equals("Serve") && !method.equals("SubmitMany")) {
          answered = true;
          count(kind, caller, (System.nanoTime() - begin) / 1000);
        }
      }
    };
  }

  private static Kind kind(String method, Object message) {
    return switch (message) {
      case Rpc.Selection s when s.getJobIdsCount() == 1 ->
          new Kind("REQUEST_JOB_INFO_SINGLE", 2021);
      case Rpc.Selection s when s.getJobs() != Rpc.Selection.Jobs.NO_JOBS ->
          new Kind("REQUEST_JOB_INFO", 2003);
      case Rpc.Selection s when s.getReservations() && !s.getPartitions() ->
          new Kind("REQUEST_RESERVATION_INFO", 2024);
      case Rpc.Selection s when s.getNodes() && !s.getPartitions() ->
          new Kind("REQUEST_NODE_INFO", 2007);
      case Rpc.Selection s -> new Kind("REQUEST_PARTITION_INFO", 2009);
      case Rpc.ReservationRequest r when r.getCreate() ->
          new Kind("REQUEST_CREATE_RESERVATION", 3006);
      case Rpc.ReservationRequest r -> new Kind("REQUEST_UPDATE_RESERVATION", 3009);
      case NodeRpc.NodeReport r ->
          switch (r.getKindCase()) {
            case REGISTERED -> new Kind("MESSAGE_NODE_REGISTRATION_STATUS", 1002);
            case SCRIPT_ENDED -> new Kind("REQUEST_COMPLETE_BATCH_SCRIPT", 5018);
            case RUN_GONE -> new Kind("MESSAGE_EPILOG_COMPLETE", 6012);
            default -> UPDATE_JOB;
          };
      default -> KINDS.getOrDefault(method, UPDATE_JOB);
    };
  }

  private synchronized void count(Kind kind, Identity caller, long micros) {
    byType.merge(kind, new Sum(1, micros), (old, more) -> old.plus(micros));
    byUser.merge(
        new Kind(caller.user(), caller.uid()), new Sum(1, micros), (old, more) -> old.plus(micros));
  }

  /** Requests whose handlers are at work, that of who asks included. */
  int underWay() {
    return underWay.get();
  }

  synchronized void reset() {
    byType.clear();
    byUser.clear();
  }

  synchronized List<Diagnostics.Calls> byType() {
    return calls(byType);
  }

  synchronized List<Diagnostics.Calls> byUser() {
    return calls(byUser);
  }

  private static List<Diagnostics.Calls> calls(Map<Kind, Sum> sums) {
    List<Diagnostics.Calls> calls = new ArrayList<>();
    sums.forEach(
        (kind, sum) ->
            calls.add(
                new Diagnostics.Calls(kind.name(), kind.number(), sum.count(), sum.micros())));
    return calls;
  }
}
