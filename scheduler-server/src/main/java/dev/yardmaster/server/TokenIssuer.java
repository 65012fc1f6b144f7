package dev.yardmaster.server;

import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.security.Authenticator;
import dev.yardmaster.security.TokenKey;
import io.grpc.stub.StreamObserver;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Gives tokens to those who may have them (scontrol(1), token). */
final class TokenIssuer {
  private static final Logger LOG = LoggerFactory.getLogger(TokenIssuer.class);
  private static final int DEFAULT_LIFESPAN = 1800;
  private static final Pattern KEY = Pattern.compile("jwt_key=([^,\\s]+)");
  private static final Pattern MOST = Pattern.compile("max_token_lifespan=([0-9]{1,9})");

  /** Where the key is when the configuration does not say. */
  @FunctionalInterface
  interface Keys {
    TokenKey get() throws IOException;
  }

  private final Keys otherwise;

  TokenIssuer(Keys otherwise) {
    this.otherwise = otherwise;
  }

  /** That a token was refused. */
  private static final class RefusedException extends Exception {
    private static final long serialVersionUID = 1L;
    private final SlurmError error;

    private RefusedException(SlurmError error, String why) {
      super(why);
      this.error = error;
    }

    SlurmError error() {
      return error;
    }
  }

  /**
   * Sends a token, or why there is none.
   *
   * @param audit takes what was asked for, and what came of it
   */
  void answer(
      Rpc.TokenRequest request,
      ClusterState state,
      ServerCard card,
      BiConsumer<String, Reply> audit,
      StreamObserver<Rpc.Token> to) {
    Identity caller = Authenticator.caller();
    String what =
        "FetchToken user="
            + (request.getUser().isEmpty() ? caller.user() : request.getUser())
            + " lifespan="
            + request.getLifespanSeconds();
    try {
      String token =
          issue(
              state,
              caller,
              card.mayStop(caller, state),
              request.getUser(),
              request.getLifespanSeconds(),
              card.now());
      audit.accept(what, new Reply.Done(List.of()));
      to.onNext(Rpc.Token.newBuilder().setToken(token).build());
      to.onCompleted();
    } catch (RefusedException e) {
      LOG.warn("a token is denied: {}", e.getMessage());
      audit.accept(what, new Reply.Refused(e.error(), e.getMessage()));
      to.onError(Refusals.exception(e.error(), e.getMessage()));
    }
  }

  /**
   * A token.
   *
   * @param user whose; empty for the caller's
   * @param lifespan in seconds; 0 for the default
   * @param mayAll whether the caller may have those of others
   */
  private String issue(
      ClusterState state, Identity caller, boolean mayAll, String user, int lifespan, Instant now)
      throws RefusedException {
    String parameters = state.config().setting("AuthAltParameters").orElse("");
    if (parameters.toLowerCase(Locale.ROOT).contains("disable_token_creation") && !mayAll) {
      throw new RefusedException(SlurmError.ACCESS_DENIED, "disable_token_creation is set");
    }
    if (!user.isEmpty() && !user.equals(caller.user()) && !mayAll) {
      throw new RefusedException(
          SlurmError.INVALID_USER_ID, "only an administrator gets the token of " + user);
    }
    Matcher limit = MOST.matcher(parameters);
    int most = limit.find() ? Integer.parseInt(limit.group(1)) : 0;
    int seconds =
        lifespan > 0 ? lifespan : most > 0 ? Math.min(DEFAULT_LIFESPAN, most) : DEFAULT_LIFESPAN;
    if (most > 0 && seconds > most && !mayAll) {
      throw new RefusedException(
          SlurmError.INVALID_TIME_LIMIT, "max_token_lifespan is " + most + " seconds");
    }
    return key(parameters).sign(user.isEmpty() ? caller.user() : user, now, seconds);
  }

  private TokenKey key(String parameters) throws RefusedException {
    Matcher file = KEY.matcher(parameters);
    try {
      return file.find() ? TokenKey.read(Path.of(file.group(1))) : otherwise.get();
    } catch (IOException e) {
      LOG.error("no token can be given, the key cannot be read: {}", e.toString());
      throw new RefusedException(SlurmError.UNSPECIFIED, "the key cannot be read");
    }
  }
}
