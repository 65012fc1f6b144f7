package dev.yardmaster.server;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.JournalException;
import dev.yardmaster.replication.Certificates;
import dev.yardmaster.replication.Limits;
import dev.yardmaster.replication.Member;
import dev.yardmaster.replication.Replica;
import dev.yardmaster.security.ServerTls;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Control among three controllers or more, each with a state directory of its own: most of them
 * choose one, and what it writes counts when most of them have it.
 */
final class ReplicatedControl implements Control {
  private static final Logger LOG = LoggerFactory.getLogger(ReplicatedControl.class);

  /** The controllers speak to each other on the port of the cluster and this much. */
  private static final int PORT_OFFSET = 100;

  private final Peers peers;
  private final Path configFile;
  private final Replica replica;
  private boolean stopped;
  private boolean leads;
  private @Nullable String failure;
  private @Nullable ReplicatedTerm term;

  ReplicatedControl(
      Peers peers, Path configFile, Path directory, String address, @Nullable ServerTls tls)
      throws StartFailure {
    this.peers = peers;
    this.configFile = configFile;
    List<Member> members =
        peers.all().stream()
            .map(peer -> new Member(peer.name(), peer.target(), peers.port() + PORT_OFFSET))
            .toList();
    try {
      replica =
          Replica.start(
              directory,
              peers.cluster(),
              members,
              peers.self(),
              address,
              tls == null ? null : new Certificates(tls.key(), tls.certificate(), tls.authority()),
              Limits.DEFAULT,
              new Votes());
    } catch (JournalException e) {
      throw new StartFailure(String.valueOf(e.getMessage()));
    }
  }

  /** Hears who leads. */
  private final class Votes implements Replica.Listener {
    @Override
    public void leads() {
      change(true, null);
    }

    @Override
    public void follows() {
      change(false, null);
    }

    @Override
    public void fails(String why) {
      change(false, why);
    }
  }

  private void change(boolean nowLeads, @Nullable String why) {
    ReplicatedTerm ended = null;
    synchronized (this) {
      leads = nowLeads;
      if (why != null) {
        failure = why;
      }
      if (!nowLeads) {
        ended = term;
        term = null;
      }
      notifyAll();
    }
    if (ended != null) {
      ended.lose();
    }
  }

  @Override
  public synchronized @Nullable Term await() throws StartFailure, InterruptedException {
    while (!stopped) {
      if (failure != null) {
        throw new StartFailure(failure);
      }
      if (leads) {
        ReplicatedTerm next = new ReplicatedTerm(replica.journal());
        term = next;
        return next;
      }
      wait();
    }
    return null;
  }

  @Override
  public void takeOver() {
    Thread.ofVirtual().name("takeover").start(this::ask);
  }

  private void ask() {
    String leader = replica.leader();
    for (int i = 0; i < peers.all().size(); i++) {
      if (peers.all().get(i).name().equals(leader) && i != peers.self()) {
        try {
          peers.askToGiveUp(i, configFile);
        } catch (ClientException e) {
          LOG.warn("{} was asked for control: {}", leader, e.text());
        }
        return;
      }
    }
    LOG.warn("nobody has control whom this controller could ask for it");
  }

  @Override
  public synchronized void stop() {
    stopped = true;
    notifyAll();
  }

  /** It would be missing when votes are counted. */
  @Override
  public boolean endsWhenGivenUp() {
    return false;
  }

  @Override
  public void close() {
    stop();
    replica.close();
  }

  /** The time for which this controller leads. */
  private final class ReplicatedTerm implements Term {
    private final Journal journal;
    private @Nullable Runnable whenLost;
    private boolean lost;

    ReplicatedTerm(Journal journal) {
      this.journal = journal;
    }

    @Override
    public Journal journal() {
      return journal;
    }

    @Override
    public void whenLost(Runnable action) {
      synchronized (this) {
        if (!lost) {
          whenLost = action;
          return;
        }
      }
      action.run();
    }

    void lose() {
      Runnable action;
      synchronized (this) {
        lost = true;
        action = whenLost;
        whenLost = null;
      }
      if (action != null) {
        action.run();
      }
    }

    @Override
    public void close(int successor) {
      if (successor >= 0 && successor != peers.self()) {
        replica.transfer(peers.all().get(successor).name());
      }
    }
  }
}
