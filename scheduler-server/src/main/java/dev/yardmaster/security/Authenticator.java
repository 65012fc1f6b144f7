package dev.yardmaster.security;

import dev.yardmaster.api.Headers;
import dev.yardmaster.client.Munge;
import dev.yardmaster.model.Identity;
import io.grpc.Attributes;
import io.grpc.Context;
import io.grpc.Contexts;
import io.grpc.Grpc;
import io.grpc.Metadata;
import io.grpc.ServerCall;
import io.grpc.ServerCallHandler;
import io.grpc.ServerInterceptor;
import io.grpc.Status;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * Finds out who calls before anything of a call is looked at. On the local socket the kernel says
 * which user calls, and only root is believed to be another. On the network a JSON web token proves
 * who a user is, and a certificate of the cluster's authority that it is a daemon, which is
 * believed. Otherwise auth/none believes the name and ids that the client sends, from loopback
 * alone; with a private token only a caller who shows it gets in at all, and is then believed.
 */
public final class Authenticator implements ServerInterceptor {
  private static final Context.Key<Identity> CALLER = Context.key("caller");
  private static final Context.Key<String> ORIGIN = Context.key("origin");

  private final @Nullable PrivateToken token;
  private final boolean trustsNetwork;

  private final Proofs proofs;
  private final UnixAccounts users = new UnixAccounts();
  private final InstantSource clock = InstantSource.system();

  private Authenticator(@Nullable PrivateToken token, boolean trustsNetwork, Proofs proofs) {
    this.token = token;
    this.trustsNetwork = trustsNetwork;
    this.proofs = proofs;
  }

  /** auth/none: believes callers on this machine. */
  public static Authenticator none() {
    return new Authenticator(null, false, Proofs.NONE);
  }

  /** Lets only those in who show the token. */
  public static Authenticator withToken(PrivateToken token) {
    return new Authenticator(token, false, Proofs.NONE);
  }

  /** The same, and callers on other machines are believed as those on this one are. */
  public Authenticator trustingNetwork() {
    return new Authenticator(token, true, proofs);
  }

  /** The same, and callers may prove who they are. */
  public Authenticator with(Proofs others) {
    return new Authenticator(token, trustsNetwork, others);
  }

  /** The encryption of the port; null for none. */
  public @Nullable ServerTls tls() {
    return proofs.tls();
  }

  /** Whether callers on other machines are let in. */
  public boolean trustsNetwork() {
    return trustsNetwork;
  }

  /** Whether only its owner may use the server. */
  public boolean isPrivate() {
    return token != null;
  }

  /** What shows the server to itself that a call is its own; null where nothing has to be shown. */
  public @Nullable String ownToken() {
    return token == null ? null : token.text();
  }

  /** A line to be said at each start; empty when there is nothing to warn of. */
  public String warning() {
    if (trustsNetwork) {
      return "--trusted-network: whoever reaches the port can act as any user, root included, and"
          + " nothing is encrypted";
    }
    return token != null || proofs.strict()
        ? ""
        : "AuthType=auth/none: every user of this machine can act as any other user, root included;"
            + (proofs.tls() == null
                ? " only loopback connections are accepted"
                : " calls from other machines need a proof of who makes them");
  }

  /** Who makes the present call. To be asked on the thread that handles it. */
  public static Identity caller() {
    Identity caller = CALLER.get();
    if (caller == null) {
      throw new IllegalStateException("asked for the caller outside of an authenticated call");
    }
    return caller;
  }

  /** How the present call came, for people to read. To be asked on the thread that handles it. */
  public static String origin() {
    String origin = ORIGIN.get();
    return origin == null ? "" : origin;
  }

  private static String origin(Attributes call, Peer peer, boolean isProven) {
    String how =
        switch (peer) {
          case Peer.Local local -> "local socket of " + local.user().getName();
          case Peer.Certified certified -> "certificate " + certified.name();
          case Peer.Loopback _, Peer.Elsewhere _ -> "";
        };
    SocketAddress address = call.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR);
    String where = address == null ? how : (how + " " + address).strip();
    return isProven ? where + " with a token" : where;
  }

  @Override
  public <Q, A> ServerCall.Listener<Q> interceptCall(
      ServerCall<Q, A> call, Metadata headers, ServerCallHandler<Q, A> next) {
    Peer peer = Peer.of(call.getAttributes());
    String shown = headers.get(Headers.TOKEN);
    WebTokens tokens = proofs.tokens();
    Munge munge = proofs.munge();
    boolean isMunged =
        munge != null && token == null && shown != null && shown.startsWith(Munge.PREFIX);
    boolean isProven = isMunged || (tokens != null && shown != null && WebTokens.isToken(shown));
    if (!isProven && !isBelieved(peer)) {
      return refuse(call, howToProve(peer));
    }
    if (!isProven && token != null && (shown == null || !token.matches(shown))) {
      return refuse(call, "this server is private: its token is missing or wrong");
    }
    String contract = headers.get(Headers.CONTRACT);
    if (!Headers.CONTRACT_VERSION.equals(contract)) {
      return refuse(
          call,
          "this server speaks version "
              + Headers.CONTRACT_VERSION
              + " of the contract, the client "
              + contract);
    }
    Identity caller;
    if (isMunged && munge != null && shown != null) {
      try {
        caller = munged(munge.decode(shown), headers);
      } catch (IOException e) {
        return refuse(call, "the credential is not accepted: " + e.getMessage());
      }
      if (caller == null) {
        return refuse(call, "the user of the credential is not known on this machine");
      }
    } else if (isProven && tokens != null && shown != null) {
      try {
        caller = users.find(tokens.user(shown, clock.instant()));
      } catch (WebTokens.BadTokenException e) {
        return refuse(call, "the token is not accepted: " + e.getMessage());
      }
      if (caller == null) {
        return refuse(call, "the user of the token is not known on this machine");
      }
    } else {
      caller = identity(headers.get(Headers.IDENTITY));
    }
    if (caller == null) {
      return refuse(call, "the call does not say who makes it");
    }
    if (!isProven && peer instanceof Peer.Local local && !local.mayBe(caller)) {
      return refuse(call, "user " + local.user().getName() + " cannot act as " + caller.user());
    }
    Context context =
        Context.current()
            .withValues(CALLER, caller, ORIGIN, origin(call.getAttributes(), peer, isProven));
    return Contexts.interceptCall(context, call, headers, next);
  }

  /** The user of a credential; root is believed to be another. */
  private @Nullable Identity munged(Munge.Ids ids, Metadata headers) {
    return ids.uid() == 0
        ? identity(headers.get(Headers.IDENTITY))
        : users.find(Integer.toUnsignedString(ids.uid()));
  }

  /** Whether a name is taken as it is said, for what is known of who says it. */
  private boolean isBelieved(Peer peer) {
    return switch (peer) {
      case Peer.Local local -> true;
      case Peer.Certified certified -> true;
      case Peer.Loopback loopback -> trustsNetwork || !proofs.strict();
      case Peer.Elsewhere elsewhere -> trustsNetwork;
    };
  }

  private String howToProve(Peer peer) {
    if (proofs.munge() != null) {
      return "a call over the network needs a proof of who makes it: a daemon the key of its"
          + " certificate, users munge (AuthType=auth/munge) or a token in SLURM_JWT";
    }
    if (proofs.tls() == null) {
      return "only loopback connections are accepted";
    }
    String how =
        proofs.tokens() == null ? "" : "; users need a token in SLURM_JWT (scontrol token)";
    return (peer instanceof Peer.Loopback ? "a call over the network" : "a call from elsewhere")
        + " needs a proof of who makes it: a daemon the key of its certificate"
        + how;
  }

  private static <Q, A> ServerCall.Listener<Q> refuse(ServerCall<Q, A> call, String why) {
    call.close(Status.UNAUTHENTICATED.withDescription(why), new Metadata());
    return new ServerCall.Listener<>() {};
  }

  private static @Nullable Identity identity(@Nullable String text) {
    if (text == null) {
      return null;
    }
    String[] parts = text.split(":", -1);
    if (parts.length != 4 || parts[0].isEmpty()) {
      return null;
    }
    try {
      return new Identity(
          URLDecoder.decode(parts[0], StandardCharsets.UTF_8),
          Integer.parseInt(parts[1]),
          URLDecoder.decode(parts[2], StandardCharsets.UTF_8),
          Integer.parseInt(parts[3]));
    } catch (IllegalArgumentException e) {
      return null;
    }
  }
}
