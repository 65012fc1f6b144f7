package dev.yardmaster.server;

import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.model.ClusterConfig;
import dev.yardmaster.model.Identity;
import dev.yardmaster.security.Authenticator;
import io.grpc.BindableService;
import io.grpc.ForwardingServerCallListener;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.ServerInterceptors;
import io.grpc.Status;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How many requests a user may make, by a bucket of tokens each (slurm.conf(5),
 * SlurmctldParameters: rl_enable, rl_bucket_size, rl_refill_rate, rl_refill_period, rl_table_size,
 * rl_log_freq). Root and the SlurmUser are not limited. Who has no token is told to come back in a
 * second; a stream of submissions waits for its tokens.
 */
final class RateLimit implements ServerInterceptor {
  private static final Logger LOG = LoggerFactory.getLogger(RateLimit.class);

  private final Supplier<ClusterConfig> config;
  private final LongSupplier nanos;

  // Guarded by this. Who was not seen for longest is forgotten first, and begins with a full
  // bucket.
  private final LinkedHashMap<Integer, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true);
  private @Nullable ClusterConfig seen;
  private Rules rules = Rules.OFF;

  /**
   * What the configuration says.
   *
   * @param size tokens that a bucket holds
   * @param rate tokens that come in a period
   * @param period in seconds
   * @param users how many have a bucket
   * @param logSeconds between two lines about a user; -1 for none
   */
  private record Rules(
      boolean on, int size, int rate, int period, int users, int logSeconds, String slurmUser) {
    static final Rules OFF = new Rules(false, 0, 0, 1, 0, -1, "root");

    static Rules of(ClusterConfig config) {
      Map<String, String> words = new LinkedHashMap<>();
      String text = config.setting("SlurmctldParameters").orElse("");
      for (String word : text.toLowerCase(Locale.ROOT).split(",")) {
        String[] parts = word.strip().split("=", 2);
        words.put(parts[0], parts.length == 2 ? parts[1] : "");
      }
      return new Rules(
          words.containsKey("rl_enable"),
          number(words, "rl_bucket_size", 30),
          number(words, "rl_refill_rate", 2),
          Math.max(1, number(words, "rl_refill_period", 1)),
          Math.max(1, number(words, "rl_table_size", 8192)),
          "-1".equals(words.get("rl_log_freq")) ? -1 : number(words, "rl_log_freq", 0),
          config.setting("SlurmUser").orElse("root"));
    }

    private static int number(Map<String, String> words, String key, int otherwise) {
      String value = words.getOrDefault(key, "");
      return value.matches("[0-9]{1,9}") ? Integer.parseInt(value) : otherwise;
    }
  }

  private static final class Bucket {
    long tokens;
    long filled;
    long logged = Long.MIN_VALUE;

    Bucket(long tokens, long filled) {
      this.tokens = tokens;
      this.filled = filled;
    }
  }

  RateLimit(Supplier<ClusterConfig> config) {
    this(config, System::nanoTime);
  }

  RateLimit(Supplier<ClusterConfig> config, LongSupplier nanos) {
    this.config = config;
    this.nanos = nanos;
  }

  /** A service whose callers are limited. */
  BindableService before(BindableService service) {
    return () -> ServerInterceptors.intercept(service, this);
  }

  /** Takes a token of a user; returns false when there is none. */
  synchronized boolean take(Identity who) {
    ClusterConfig now = config.get();
    if (now != seen) {
      seen = now;
      rules = Rules.of(now);
    }
    if (!rules.on() || who.isRoot() || who.user().equals(rules.slurmUser())) {
      return true;
    }
    long time = nanos.getAsLong();
    Bucket bucket = buckets.computeIfAbsent(who.uid(), uid -> new Bucket(rules.size(), time));
    while (buckets.size() > rules.users()) {
      buckets.pollFirstEntry();
    }
    long period = TimeUnit.SECONDS.toNanos(rules.period());
    long periods = (time - bucket.filled) / period;
    if (periods > 0) {
      bucket.tokens = Math.min(rules.size(), bucket.tokens + periods * rules.rate());
      bucket.filled += periods * period;
    }
    if (bucket.tokens > 0) {
      bucket.tokens--;
      return true;
    }
    log(who, bucket, time);
    return false;
  }

  private void log(Identity who, Bucket bucket, long time) {
    boolean due =
        bucket.logged == Long.MIN_VALUE
            || time - bucket.logged >= TimeUnit.SECONDS.toNanos(rules.logSeconds());
    if (rules.logSeconds() >= 0 && due) {
      bucket.logged = time;
      LOG.warn("{} (uid {}) makes more requests than rl_enable allows", who.user(), who.uid());
    }
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Identity caller = Authenticator.caller();
    if (!take(caller)) {
      call.close(
          Status.RESOURCE_EXHAUSTED.withDescription(
              "more requests than SlurmctldParameters=rl_enable allows; try again in a second"),
          new Metadata());
      return new ServerCall.Listener<>() {};
    }
    return new ForwardingServerCallListener.SimpleForwardingServerCallListener<>(
        next.startCall(call, headers)) {
      @Override
      public void onMessage(Q message) {
        if (message instanceof Rpc.NumberedSubmission) {
          await(caller);
        }
        super.onMessage(message);
      }
    };
  }

  /** On the virtual thread of the call, which the next message waits for. */
  private void await(Identity caller) {
    try {
      while (!take(caller)) {
        Thread.sleep(100);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
