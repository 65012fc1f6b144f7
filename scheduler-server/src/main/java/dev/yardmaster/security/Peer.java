package dev.yardmaster.security;

import dev.yardmaster.model.Identity;
import io.grpc.Attributes;
import io.grpc.Grpc;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import java.nio.file.FileSystems;
import java.nio.file.attribute.GroupPrincipal;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;

/** The other end of a connection, as far as the kernel vouches for it. */
public sealed interface Peer {
  /** A daemon or a controller, with a certificate of the cluster's authority. */
  record Certified(String name) implements Peer {}

  /** Some process of this machine that came over the network. */
  record Loopback() implements Peer {}

  /** Some process of another machine, or one that cannot be told. */
  record Elsewhere() implements Peer {}

  /** A process of this machine, with its user and group. */
  record Local(UserPrincipal user, GroupPrincipal group) implements Peer {
    /**
     * Whether the process may act as {@code caller}: as its own user and group, and as root for
     * anybody.
     */
    boolean mayBe(Identity caller) {
      return isUser(0) || is(caller);
    }

    /** Whether the process is of exactly this user and group, by name and by number. */
    public boolean is(Identity caller) {
      return isUser(caller.uid())
          && user.getName().equals(caller.user())
          && group.getName().equals(caller.group())
          && isGroup(caller.gid());
    }

    private static UserPrincipalLookupService names() {
      return FileSystems.getDefault().getUserPrincipalLookupService();
    }

    /** A number that is nobody's name stands for itself. */
    private boolean isUser(int uid) {
      try {
        return names().lookupPrincipalByName(Integer.toString(uid)).equals(user);
      } catch (IOException e) {
        return false;
      }
    }

    private boolean isGroup(int gid) {
      try {
        return names().lookupPrincipalByGroupName(Integer.toString(gid)).equals(group);
      } catch (IOException e) {
        return false;
      }
    }
  }

  /** How a transport of this project hands a peer on. */
  Attributes.Key<Peer> ATTRIBUTE = Attributes.Key.create("peer");

  /** The process at the other end of a local socket. */
  static Peer of(SocketChannel socket) throws IOException {
    UnixDomainPrincipal principal = socket.getOption(ExtendedSocketOptions.SO_PEERCRED);
    return new Local(principal.user(), principal.group());
  }

  /** The peer of a call. */
  static Peer of(Attributes call) {
    Peer peer = call.get(ATTRIBUTE);
    if (peer != null) {
      return peer;
    }
    SSLSession session = call.get(Grpc.TRANSPORT_ATTR_SSL_SESSION);
    if (session != null) {
      try {
        return new Certified(session.getPeerPrincipal().getName());
      } catch (SSLPeerUnverifiedException e) {
        // It has shown none, and may prove otherwise who it is.
        return ofAddress(call);
      }
    }
    return ofAddress(call);
  }

  private static Peer ofAddress(Attributes call) {
    return call.get(Grpc.TRANSPORT_ATTR_REMOTE_ADDR) instanceof InetSocketAddress address
            && address.getAddress().isLoopbackAddress()
        ? new Loopback()
        : new Elsewhere();
  }
}
