package dev.yardmaster.replication;

import dev.yardmaster.journal.BatchCodec;
import dev.yardmaster.journal.FileProblem;
import dev.yardmaster.journal.Journal;
import dev.yardmaster.journal.JournalException;
import dev.yardmaster.journal.LostControlException;
import dev.yardmaster.journal.PrivateFile;
import dev.yardmaster.journal.SqliteJournal;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.ratis.protocol.ClientId;
import org.apache.ratis.protocol.Message;
import org.apache.ratis.protocol.RaftClientReply;
import org.apache.ratis.protocol.RaftClientRequest;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.protocol.RaftPeerId;
import org.apache.ratis.protocol.TransferLeadershipRequest;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.storage.RaftStorage.StartupOption;
import org.apache.ratis.thirdparty.com.google.protobuf.ByteString;
import org.apache.ratis.thirdparty.com.google.protobuf.UnsafeByteOperations;
import org.jspecify.annotations.Nullable;

/**
 * One controller's part of a journal that all controllers of a cluster write: its copy in the state
 * directory, and its vote. At most one of them leads; what it appends counts when most have it.
 */
public final class Replica implements AutoCloseable {
  /** Folder of the log of entries in the state directory. */
  private static final String LOG_DIRECTORY = "raft";

  private static final Duration LONGEST_WRITE = Duration.ofSeconds(10);
  private static final Logger LIBRARY = Logger.getLogger("org.apache.ratis");

  private final Copy copy;
  private final RaftServer server;
  private final RaftGroupId group;
  private final ClientId client = ClientId.randomId();
  private final AtomicLong calls = new AtomicLong();
  private final Limits limits;

  /** Hears who leads, on threads of the library. */
  public interface Listener {
    /** This controller leads, and its copy has everything that counts. */
    void leads();

    /** It leads no more. */
    void follows();

    /** Its copy cannot be used any more; it must end. */
    void fails(String why);
  }

  private Replica(Copy copy, RaftServer server, RaftGroupId group, Limits limits) {
    this.limits = limits;
    this.copy = copy;
    this.server = server;
    this.group = group;
  }

  /**
   * Takes part.
   *
   * @param cluster only controllers of the same cluster vote together
   * @param self place of this controller among the members
   * @param address what it listens on for the others
   * @param certificates by which they know each other; null where nothing is encrypted
   * @param limits of the log of entries, the same for all
   * @throws JournalException when the directory or the port cannot be used
   */
  public static Replica start(
      Path directory,
      String cluster,
      List<Member> members,
      int self,
      String address,
      @Nullable Certificates certificates,
      Limits limits,
      Listener listener) {
    LIBRARY.setLevel(Level.SEVERE);
    Member own = members.get(self);
    RaftGroupId group =
        RaftGroupId.valueOf(
            UUID.nameUUIDFromBytes(("yardmaster " + cluster).getBytes(StandardCharsets.UTF_8)));
    List<RaftPeer> peers =
        members.stream()
            .map(m -> RaftPeer.newBuilder().setId(m.name()).setAddress(m.host() + ":" + m.port()))
            .map(RaftPeer.Builder::build)
            .toList();
    Copy copy = new Copy(SqliteJournal.openReplica(directory));
    try {
      Path log = directory.resolve(LOG_DIRECTORY);
      boolean exists = Files.isDirectory(log.resolve(group.getUuid().toString()));
      PrivateFile.folder(log);
      RaftServer server =
          RaftServer.newBuilder()
              .setServerId(RaftPeerId.valueOf(own.name()))
              .setGroup(RaftGroup.valueOf(group, peers))
              .setStateMachine(new Machine(copy, listener))
              .setProperties(Settings.of(log, own, address, members.size() == 1, limits))
              .setParameters(Settings.of(certificates))
              .setOption(exists ? StartupOption.RECOVER : StartupOption.FORMAT)
              .build();
      server.start();
      return new Replica(copy, server, group, limits);
    } catch (IOException e) {
      copy.close();
      throw new JournalException(
          "the votes of the controllers cannot be held on "
              + address
              + ":"
              + own.port()
              + " with "
              + directory
              + ": "
              + FileProblem.of(e),
          e);
    } catch (RuntimeException e) {
      copy.close();
      throw e;
    }
  }

  /** The name of this controller. */
  public String name() {
    return server.getId().toString();
  }

  /** The name of the controller that leads; null while there is none that this one knows of. */
  public @Nullable String leader() {
    try {
      RaftPeerId leader = server.getDivision(group).getInfo().getLeaderId();
      return leader == null ? null : leader.toString();
    } catch (IOException e) {
      return null;
    }
  }

  /** Whether this one leads and may append. */
  public boolean isLeading() {
    try {
      return server.getDivision(group).getInfo().isLeaderReady();
    } catch (IOException e) {
      return false;
    }
  }

  /** The journal while this one leads; once it cannot be written, it never can again. */
  public Journal journal() {
    return new LeaderJournal(this, copy);
  }

  /** Hands over to another member, if it has everything; this one leads on otherwise. */
  public void transfer(String name) {
    TransferLeadershipRequest request =
        new TransferLeadershipRequest(
            client,
            server.getId(),
            group,
            calls.incrementAndGet(),
            RaftPeerId.valueOf(name),
            LONGEST_WRITE.toMillis());
    try {
      server.transferLeadershipAsync(request).get(LONGEST_WRITE.toSeconds(), TimeUnit.SECONDS);
    } catch (IOException | ExecutionException | TimeoutException e) {
      Logger.getLogger(Replica.class.getName()).warning(name + " cannot lead: " + e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /**
   * Has most controllers write an entry.
   *
   * @throws LostControlException when it is not known to count: it never does, or it does before
   *     anything else that this controller may write
   */
  void write(BatchCodec.Entry entry) {
    byte[] bytes = BatchCodec.write(entry);
    if (bytes.length > limits.entryBytes()) {
      throw new JournalException(
          "a change of "
              + bytes.length
              + " bytes is more than the controllers send each other; the limit is "
              + limits.entryBytes());
    }
    ByteString content = UnsafeByteOperations.unsafeWrap(bytes);
    RaftClientRequest request =
        RaftClientRequest.newBuilder()
            .setClientId(client)
            .setServerId(server.getId())
            .setGroupId(group)
            .setCallId(calls.incrementAndGet())
            .setMessage(Message.valueOf(content))
            .setType(RaftClientRequest.writeRequestType())
            .build();
    RaftClientReply reply;
    try {
      reply =
          server
              .submitClientRequestAsync(request)
              .get(LONGEST_WRITE.toMillis(), TimeUnit.MILLISECONDS);
    } catch (IOException | ExecutionException e) {
      throw new LostControlException("most controllers cannot be reached: " + e.getMessage());
    } catch (TimeoutException e) {
      throw new LostControlException(
          "most controllers did not answer within " + LONGEST_WRITE.toSeconds() + " s");
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new LostControlException("interrupted");
    }
    if (!reply.isSuccess()) {
      throw new LostControlException("this controller leads no more: " + reply.getException());
    }
    String outcome = reply.getMessage().getContent().toStringUtf8();
    if (!outcome.equals(Copy.Outcome.WRITTEN.name())) {
      throw new LostControlException("another controller has led meanwhile");
    }
  }

  @Override
  public void close() {
    try {
      server.close();
    } catch (IOException e) {
      Logger.getLogger(Replica.class.getName()).warning("while ending: " + e);
    } finally {
      copy.close();
    }
  }
}
