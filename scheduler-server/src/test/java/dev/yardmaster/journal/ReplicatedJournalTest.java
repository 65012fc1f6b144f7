package dev.yardmaster.journal;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.replication.Certificates;
import dev.yardmaster.replication.Limits;
import dev.yardmaster.replication.Member;
import dev.yardmaster.replication.Replica;
import dev.yardmaster.security.TestCertificates;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The journal of several controllers, here within one process. */
class ReplicatedJournalTest extends JournalContract {
  private final List<Member> alone = List.of(member("one"));
  private final List<Member> three = List.of(member("a"), member("b"), member("c"));

  private static Member member(String name) {
    try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return new Member(name, "127.0.0.1", socket.getLocalPort());
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  Journal open(Path directory) {
    Part part = new Part(directory, alone, 0);
    return new Owned(part.lead(), part);
  }

  /** A controller of the group, and what it hears. */
  private static final class Part implements Replica.Listener, AutoCloseable {
    private final BlockingQueue<String> heard = new LinkedBlockingQueue<>();
    private final Replica replica;

    Part(Path directory, List<Member> members, int self) {
      this(directory, members, self, null);
    }

    Part(Path directory, List<Member> members, int self, @Nullable TestCertificates certificates) {
      this(directory, members, self, certificates, Limits.DEFAULT);
    }

    Part(
        Path directory,
        List<Member> members,
        int self,
        @Nullable TestCertificates certificates,
        Limits limits) {
      replica =
          Replica.start(
              directory,
              "lab",
              members,
              self,
              "127.0.0.1",
              certificates == null
                  ? null
                  : new Certificates(
                      certificates.folder().resolve("ctld_cert_key.pem"),
                      certificates.folder().resolve("ctld_cert.pem"),
                      certificates.folder().resolve("ca_cert.pem")),
              limits,
              this);
    }

    @Override
    public void leads() {
      heard.add("leads");
    }

    @Override
    public void follows() {
      heard.add("follows");
    }

    @Override
    public void fails(String why) {
      heard.add(why);
    }

    boolean leadsWithin(long millis) {
      try {
        String next = heard.poll(millis, TimeUnit.MILLISECONDS);
        return "leads".equals(next);
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
    }

    Journal lead() {
      assertThat(leadsWithin(20_000)).isTrue();
      return replica.journal();
    }

    @Override
    public void close() {
      replica.close();
    }
  }

  private List<Part> start() {
    List<Part> parts = new ArrayList<>();
    for (int i = 0; i < three.size(); i++) {
      parts.add(new Part(directory.resolve(three.get(i).name()), three, i));
    }
    return parts;
  }

  /** The part that leads; there is one soon when most are there. */
  private static Part leader(List<Part> parts) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(30);
    while (System.nanoTime() < end) {
      for (Part part : parts) {
        if (part.leadsWithin(50) && part.replica.isLeading()) {
          return part;
        }
      }
    }
    throw new AssertionError("nobody leads");
  }

  private static void awaitCopy(Part part, long sequence) {
    long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
    while (part.replica.journal().lastSequence() < sequence && System.nanoTime() < end) {
      LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
    }
    assertThat(part.replica.journal().lastSequence()).isEqualTo(sequence);
  }

  private List<Entry> written(String name) {
    List<Entry> events = new ArrayList<>();
    try (SqliteJournal copy = SqliteJournal.openReplica(directory.resolve(name))) {
      copy.read(1, entry -> events.add(new Entry(entry.sequence(), entry.event().toString())));
    }
    return events;
  }

  private record Entry(long sequence, String event) {}

  @Test
  void whatWasWrittenIsOnEachAndTheNextLeaderGoesOn() {
    List<Part> parts = start();
    Part first = leader(parts);
    Journal journal = first.replica.journal();
    JobScript script = new JobScript("#!/bin/sh\n", List.of(), new TreeMap<>());
    journal.append(
        List.of(
            new Journal.Batch(
                List.of(Samples.configured(), submitted(1)), new TreeMap<>(Map.of(1, script)))));
    first.close();
    parts.remove(first);
    Part second = leader(parts);
    Journal next = second.replica.journal();
    assertThat(next.recover().orElseThrow().state().jobs()).containsKey(1);
    assertThat(next.script(1)).contains(script);
    assertThat(next.append(List.of(batch(submitted(2))))).isEqualTo(3);
    assertThatThrownBy(() -> journal.append(List.of(batch(submitted(3)))))
        .isInstanceOf(JournalException.class);
    parts.remove(second);
    // Of three one is left, which can write nothing, and nothing of what was written is lost.
    second.close();
    Part last = parts.getFirst();
    assertThat(last.leadsWithin(3_000)).isFalse();
    List<Part> back = new ArrayList<>(parts);
    int returning = three.stream().map(Member::name).toList().indexOf(nameOf(second));
    back.add(new Part(directory.resolve(nameOf(second)), three, returning));
    assertThat(leader(back).replica.journal().append(List.of(batch(submitted(4))))).isEqualTo(4);
    // Most of the group have it by now; the others get it a little later.
    back.forEach(part -> awaitCopy(part, 4));
    back.forEach(Part::close);
    assertThat(written(nameOf(last))).isEqualTo(written(nameOf(second))).hasSize(4);
  }

  private String nameOf(Part part) {
    return part.replica.name();
  }

  @Test
  void controllersWithCertificatesOfOneAuthorityWorkTogetherAndOthersHaveNoPart() throws Exception {
    TestCertificates own = TestCertificates.in(directory.resolve("own"));
    TestCertificates foreign = TestCertificates.in(directory.resolve("foreign"));
    List<Part> parts = new ArrayList<>();
    parts.add(new Part(directory.resolve("a"), three, 0, own));
    parts.add(new Part(directory.resolve("b"), three, 1, foreign));
    parts.add(new Part(directory.resolve("c"), three, 2));
    for (Part part : parts) {
      assertThat(part.leadsWithin(3_000)).as("one that nobody else believes").isFalse();
    }
    parts.removeLast().close();
    parts.removeLast().close();
    parts.add(new Part(directory.resolve("b"), three, 1, own));
    leader(parts).replica.journal().append(List.of(batch(Samples.configured(), submitted(1))));
    parts.forEach(part -> awaitCopy(part, 2));
    parts.forEach(Part::close);
  }

  @Test
  void aCopyOfSomethingElseEndsAndSpoilsNothing() throws Exception {
    try (SqliteJournal other = SqliteJournal.openReplica(directory.resolve("c"))) {
      other.append(List.of(batch(Samples.configured(), submitted(7))));
    }
    List<Part> parts = start();
    Part leader = leader(parts);
    if (!nameOf(leader).equals("c")) {
      leader.replica.journal().append(List.of(batch(Samples.configured(), submitted(1))));
      assertThat(parts.get(2).heard.poll(20, TimeUnit.SECONDS))
          .contains("c")
          .contains("is not the copy of what the other controllers have");
    }
    parts.forEach(Part::close);
    assertThat(written("c")).hasSize(2);
  }

  private Part small(String name) {
    int self = three.stream().map(Member::name).toList().indexOf(name);
    return new Part(directory.resolve(name), three, self, null, new Limits(1 << 20, 100));
  }

  private long logBytes(String name) throws IOException {
    try (Stream<Path> files = Files.walk(directory.resolve(name).resolve("raft"))) {
      return files.filter(Files::isRegularFile).mapToLong(file -> file.toFile().length()).sum();
    }
  }

  /** Appends so many entries of a tenth of a megabyte. */
  private static void append(Journal journal, int count) {
    Random random = new Random(7);
    for (int i = 0; i < count; i++) {
      byte[] noise = new byte[75_000];
      random.nextBytes(noise);
      String text = "#!/bin/sh\n# " + Base64.getEncoder().encodeToString(noise);
      JobScript script = new JobScript(text, List.of(), new TreeMap<>());
      int job = (int) journal.lastSequence() + 1;
      journal.append(
          List.of(new Journal.Batch(List.of(submitted(job)), new TreeMap<>(Map.of(job, script)))));
    }
  }

  @Test
  void theLogOfEntriesIsCutOnceAllHaveThem() throws Exception {
    List<Part> parts = new ArrayList<>(List.of(small("a"), small("b"), small("c")));
    Journal journal = leader(parts).replica.journal();
    journal.append(List.of(batch(Samples.configured())));
    append(journal, 50);
    // One that is away finds what it needs when it comes back, however long that is.
    Part away = parts.stream().filter(part -> !part.replica.isLeading()).findFirst().orElseThrow();
    String name = nameOf(away);
    awaitCopy(away, 51);
    away.close();
    parts.remove(away);
    append(journal, 250);
    for (Part part : parts) {
      awaitCopy(part, 301);
    }
    assertThat(logBytes(nameOf(parts.getFirst()))).isGreaterThan(20_000_000);
    away = small(name);
    parts.add(away);
    awaitCopy(away, 301);
    append(journal, 250);
    for (Part part : parts) {
      awaitCopy(part, 551);
      assertThat(logBytes(nameOf(part))).isLessThan(12_000_000);
    }
    parts.forEach(Part::close);
    assertThat(written("a")).isEqualTo(written("b")).isEqualTo(written("c")).hasSize(551);
  }

  @Test
  void onlyACopyOfAnotherOneHelpsWhoHasLostWhatIsCut() throws Exception {
    List<Part> parts = new ArrayList<>(List.of(small("a"), small("b"), small("c")));
    Journal journal = leader(parts).replica.journal();
    journal.append(List.of(batch(Samples.configured())));
    append(journal, 250);
    parts.forEach(part -> awaitCopy(part, 251));
    parts.forEach(Part::close);
    deleteAll(directory.resolve("a"));
    parts = List.of(small("a"), small("b"), small("c"));
    assertThat(parts.getFirst().heard.poll(30, TimeUnit.SECONDS))
        .contains("copy its journal.db here");
    parts.forEach(Part::close);
    deleteAll(directory.resolve("a"));
    Files.createDirectories(directory.resolve("a"));
    Files.copy(
        directory.resolve("b").resolve(SqliteJournal.FILE),
        directory.resolve("a").resolve(SqliteJournal.FILE));
    parts = List.of(small("a"), small("b"), small("c"));
    append(leader(parts).replica.journal(), 5);
    parts.forEach(part -> awaitCopy(part, 256));
    parts.forEach(Part::close);
    assertThat(written("a")).isEqualTo(written("b")).isEqualTo(written("c")).hasSize(256);
  }

  private static void deleteAll(Path folder) throws IOException {
    try (Stream<Path> files = Files.walk(folder)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(file);
      }
    }
  }

  /** A journal that ends its part of the group with itself. */
  private record Owned(Journal journal, Part part) implements Journal {
    @Override
    public long append(List<Batch> batches) {
      return journal.append(batches);
    }

    @Override
    public long lastSequence() {
      return journal.lastSequence();
    }

    @Override
    public Optional<Recovered> recover() {
      return journal.recover();
    }

    @Override
    public void read(long from, long to, Consumer<Journal.Entry> reader) {
      journal.read(from, to, reader);
    }

    @Override
    public long sequenceAt(Instant at) {
      return journal.sequenceAt(at);
    }

    @Override
    public Optional<Instant> timeOf(long sequence) {
      return journal.timeOf(sequence);
    }

    @Override
    public long fingerprint(long sequence) {
      return journal.fingerprint(sequence);
    }

    @Override
    public Optional<JobScript> script(int jobId) {
      return journal.script(jobId);
    }

    @Override
    public void snapshot(ClusterState state, long sequence) {
      journal.snapshot(state, sequence);
    }

    @Override
    public void close() {
      part.close();
    }
  }
}
