package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeStatus;
import java.io.IOException;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class SinfoTest extends CommandTestBase {
  private void drain(String node, String reason) {
    NodeStatus status = Objects.requireNonNull(lab.state().nodes().get(node)).status();
    lab.apply(
        new Event.NodeChanged(
            lab.now(),
            node,
            status.with(
                s ->
                    s.flags(EnumSet.of(NodeFlag.DRAIN))
                        .reason(reason)
                        .reasonUser("root")
                        .reasonTime(lab.now())),
            "root"));
  }

  @Test
  void oneLineForEachPartitionAndState() throws IOException {
    drain("n1", "fan");
    lab.node("n2", "down");
    Captured sinfo = serve();
    assertThat(sinfo.run("sinfo", "-p", "main,slow")).isZero();
    assertThat(sinfo.out())
        .isEqualTo(
            """
            PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST
            main*        up 1-00:00:00      1  drain n1
            main*        up 1-00:00:00      2   idle n[3-4]
            main*        up 1-00:00:00      1   down n2
            slow         up 1-00:00:00      1   idle n5
            """);
  }

  @Test
  void countsAddUpWhateverTheState() throws IOException {
    drain("n1", "fan");
    lab.node("n2", "down");
    fill();
    Captured sinfo = serve();
    sinfo.run("sinfo", "-h", "-p", "main", "-o", "%D");
    assertThat(sinfo.out().lines().mapToInt(Integer::parseInt).sum()).isEqualTo(4);
    sinfo.run("sinfo", "-s", "-h", "-p", "main", "-o", "%F");
    assertThat(sinfo.out()).isEqualTo("1/1/2/4\n");
  }

  @Test
  void aNodeThatIsToComeIsShownToWhoAsksForIt() throws IOException {
    NodeStatus status = Objects.requireNonNull(lab.state().nodes().get("n2")).status();
    lab.apply(
        new Event.NodeChanged(lab.now(), "n2", status.withBase(NodeBaseState.FUTURE), "root"));
    Captured commands = serve();
    commands.run("sinfo", "-h", "-p", "main", "-o", "%D %N");
    assertThat(commands.out()).isEqualTo("3 n[1,3-4]\n");
    commands.run("sinfo", "-h", "-N", "-t", "future", "-o", "%N");
    assertThat(commands.out()).isEmpty();
    commands.run("sinfo", "-F", "-h", "-N", "-t", "future", "-p", "main", "-o", "%N");
    assertThat(commands.out()).isEqualTo("n2\n");
    assertThat(commands.run("scontrol", "show", "node", "n2")).isEqualTo(1);
    assertThat(commands.out()).isEqualTo("Node n2 not found\n");
    assertThat(commands.run("scontrol", "--future", "show", "node", "n2")).isZero();
    assertThat(commands.out()).contains("State=FUTURE");
  }

  @Test
  void filtersByState() throws IOException {
    drain("n3", "fan");
    Captured sinfo = serve();
    sinfo.run("sinfo", "-t", "drain", "-h", "-o", "%N");
    assertThat(sinfo.out()).isEqualTo("n3\n");
    sinfo.run("sinfo", "-t", "idle,drained", "-h", "-p", "main", "-o", "%t %N");
    assertThat(sinfo.out().lines()).containsExactly("drain n3", "idle n[1-2,4]");
    sinfo.run("sinfo", "-t", "mix", "-h", "-p", "main");
    assertThat(sinfo.out()).isEqualTo("main*        up 1-00:00:00      0    n/a \n");
    sinfo.run("sinfo", "-t", "all", "-h", "-p", "main", "-o", "%t %D");
    assertThat(sinfo.out().lines()).containsExactly("drain 1", "idle 3");
    assertThat(sinfo.run("sinfo", "-t", "foo")).isEqualTo(1);
    assertThat(sinfo.err())
        .startsWith(
            "sinfo: error: Bad state string: \"foo\"\n"
                + "sinfo: error: valid states: unknown,down,idle,allocated,mixed,future,drained,"
                + "draining,blocked,cloud,completing,drain,");
  }

  @Test
  void nodeByNode() throws IOException {
    Captured sinfo = serve();
    sinfo.run("sinfo", "-N", "-l", "-n", "n[4-5]", "-p", "main,slow");
    assertThat(sinfo.out())
        .isEqualTo(
            """
            Sun Nov 29 12:00:00 2026
            NODELIST   NODES PARTITION       STATE CPUS    S:C:T MEMORY TMP_DISK WEIGHT AVAIL_FE REASON              \n\
            n4             1     main*        idle 16      2:8:1  64000        0      1   (null) none                \n\
            n5             1      slow        idle 16      2:8:1  64000        0      1     slow none                \n\
            """);
  }

  @Test
  void reasonsWithTheirAuthor() throws IOException {
    drain("n1", "broken fan | \"quoted\", see #42");
    Captured sinfo = serve();
    sinfo.run("sinfo", "-R");
    assertThat(sinfo.out())
        .isEqualTo(
            """
            REASON               USER      TIMESTAMP           NODELIST
            broken fan | "quoted root      2026-11-29T12:00:00 n1
            """);
    sinfo.run("sinfo", "-h", "-n", "n1", "-p", "main", "-o", "%E|%N");
    assertThat(sinfo.out()).isEqualTo("broken fan | \"quoted\", see #42|n1\n");
  }

  @Test
  void numbersThatDifferShowTheLeastAndAPlus() throws IOException {
    Captured sinfo = serve();
    sinfo.run("sinfo", "-h", "-o", "%c %m %G");
    assertThat(sinfo.out()).isEqualTo("16 64000 gpu:h100:8\n");
    sinfo.run("sinfo", "-h", "-o", "%n", "-n", "n[1-2]");
    assertThat(sinfo.out().lines()).containsExactly("n1", "n2");
  }

  @Test
  void whatIsInUse() throws IOException {
    fill();
    Captured sinfo = serve();
    sinfo.run(
        "sinfo", "-h", "-p", "main", "-N", "-O", "nodelist:4,gresused:30,cpusstate:14,allocmem");
    assertThat(sinfo.out().lines().map(String::stripTrailing))
        .contains(
            "n1  gpu:h100:8(IDX:0-7)           16/0/0/16     16000",
            "n4  gpu:h100:2(IDX:0-1)           1/15/0/16     1000");
  }

  @Test
  void everyColumnHasAHeaderAndAValue() throws IOException {
    Captured sinfo = serve();
    assertThat(sinfo.run("sinfo", "-o", "%all", "-p", "slow")).isZero();
    assertThat(sinfo.err()).isEmpty();
    List<String> lines = sinfo.out().lines().toList();
    assertThat(lines).hasSize(2);
    assertThat(lines.get(0)).startsWith("AVAIL|ACTIVE_FEATURES|CPUS|TMP_DISK|");
    assertThat(lines.get(0).chars().filter(c -> c == '|').count())
        .isEqualTo(lines.get(1).chars().filter(c -> c == '|').count());
  }

  @Test
  void anUnknownPartitionIsAnEmptyList() throws IOException {
    Captured sinfo = serve();
    assertThat(sinfo.run("sinfo", "-p", "nosuch")).isZero();
    assertThat(sinfo.out()).isEqualTo("PARTITION AVAIL  TIMELIMIT  NODES  STATE NODELIST\n");
    sinfo.run("sinfo", "-h", "-n", "n99", "-p", "main");
    assertThat(sinfo.out()).isEqualTo("main*        up 1-00:00:00      0    n/a \n");
  }

  @Test
  void reservations() throws IOException {
    lab.reserve("maint", lab.now().plusSeconds(3600), 90, "n[1-2]", "root", "MAINT");
    Captured sinfo = serve();
    sinfo.run("sinfo", "-T");
    assertThat(sinfo.out())
        .isEqualTo(
            """
            RESV_NAME     STATE           START_TIME             END_TIME     DURATION  NODELIST
            maint      INACTIVE  2026-11-29T13:00:00  2026-11-29T14:30:00     01:30:00  n[1-2]
            """);
  }

  @Test
  void aNodeInAnActiveReservationIsShownReserved() throws IOException {
    lab.reserve("now", lab.now().minusSeconds(1), 90, "n1", "root");
    lab.reserve("maint", lab.now().minusSeconds(1), 90, "n2", "root", "MAINT");
    Captured sinfo = serve();
    sinfo.run("sinfo", "-h", "-p", "main", "-N", "-o", "%N %t %T");
    assertThat(sinfo.out().lines())
        .containsExactly("n1 resv reserved", "n2 maint maint", "n3 idle idle", "n4 idle idle");
  }

  @Test
  void anOptionThatIsNotThereIsNotTakenForNothing() throws IOException {
    Captured sinfo = serve();
    assertThat(sinfo.run("sinfo", "-M", "other")).isEqualTo(1);
    assertThat(sinfo.out()).isEmpty();
    for (String wrong : List.of("0", "-1", "abc", "")) {
      assertThat(sinfo.run("sinfo", "-i", wrong)).isEqualTo(1);
      assertThat(sinfo.err())
          .isEqualTo("sinfo: error: Error: invalid entry for --iterate=" + wrong + "\n");
    }
  }

  @Test
  void iterateListsAgainUntilItIsInterrupted() throws Exception {
    Captured sinfo = serve();
    Thread listing =
        Thread.ofPlatform().start(() -> sinfo.run("sinfo", "-i", "3600", "-p", "main"));
    while (listing.getState() != Thread.State.TIMED_WAITING || !sinfo.out().endsWith("\n\n")) {
      Thread.yield();
    }
    listing.interrupt();
    listing.join();
    assertThat(sinfo.out().lines().toList().get(1)).startsWith("PARTITION");
  }
}
