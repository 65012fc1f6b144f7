package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.TestCluster;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.NodeBaseState;
import dev.yardmaster.model.NodeFlag;
import dev.yardmaster.model.NodeStatus;
import dev.yardmaster.model.Reason;
import dev.yardmaster.model.Trigger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What sets triggers off, and what their programs are told. */
class TriggerBookTest {
  private Instant now = TestCluster.NOW;
  private final List<String> ran = new ArrayList<>();
  private final List<Trigger> kept = new ArrayList<>();
  private final TriggerBook book =
      new TriggerBook(
          List.of(),
          all -> {
            kept.clear();
            kept.addAll(all);
          },
          (program, what) -> ran.add(program + " " + what),
          () -> now);
  private ClusterState state = ClusterState.initial(TestCluster.config(3, Map.of()), now);

  @BeforeEach
  void start() {
    for (String name : List.of("n1", "n2", "n3")) {
      node(name, NodeBaseState.IDLE);
    }
    book.start(state, 0);
  }

  private void node(String name, NodeBaseState base, NodeFlag... flags) {
    Node node = Objects.requireNonNull(state.node(name));
    NodeStatus status = node.status().withBase(base).withFlags(Set.of(flags));
    Event event = new Event.NodeChanged(now, name, status, "root");
    state = state.apply(event);
    book.next(List.of(event), state, 1);
  }

  private void set(
      Trigger.Resource of, String resource, int offset, boolean stays, String... kinds) {
    Trigger trigger =
        new Trigger(
            0,
            of,
            resource,
            new TreeSet<>(List.of(kinds)),
            offset,
            "",
            stays,
            "/sbin/" + String.join("-", kinds));
    assertThat(book.set(trigger, "root")).isTrue();
    assertThat(book.set(trigger, "root")).isFalse();
  }

  private List<String> after(long seconds) {
    now = now.plusSeconds(seconds);
    ran.clear();
    book.tick();
    return List.copyOf(ran);
  }

  @Test
  void nodesThatGoDownTogetherAreToldOnceAndTheTriggerIsGone() {
    set(Trigger.Resource.NODE, "*", 0, false, "down");
    set(Trigger.Resource.NODE, "n3", 0, false, "down", "up");
    node("n1", NodeBaseState.DOWN);
    node("n2", NodeBaseState.DOWN);
    node("n2", NodeBaseState.DOWN);
    assertThat(after(0)).containsExactly("/sbin/down n[1-2]");
    assertThat(book.all()).hasSize(1).isEqualTo(kept);
    node("n3", NodeBaseState.DOWN);
    assertThat(after(0)).containsExactly("/sbin/down-up n3");
    assertThat(kept).isEmpty();
  }

  @Test
  void onePermanentTriggerStaysAndOneWithAnOffsetWaits() {
    set(Trigger.Resource.NODE, "n[1-2]", 30, true, "up");
    for (int i = 0; i < 2; i++) {
      node("n1", NodeBaseState.DOWN);
      node("n1", NodeBaseState.IDLE);
      assertThat(after(29)).isEmpty();
      assertThat(after(1)).containsExactly("/sbin/up n1");
    }
    assertThat(book.all()).hasSize(1);
  }

  @Test
  void aNodeIsDrainedAndIsTakenBack() {
    set(Trigger.Resource.NODE, "*", 0, false, "drained");
    set(Trigger.Resource.NODE, "*", 0, false, "draining");
    set(Trigger.Resource.NODE, "*", 0, false, "resume");
    set(Trigger.Resource.NODE, "*", 0, false, "fail");
    node("n1", NodeBaseState.IDLE, NodeFlag.DRAIN);
    assertThat(after(0)).containsExactly("/sbin/drained n1");
    node("n1", NodeBaseState.IDLE);
    assertThat(after(0)).containsExactly("/sbin/resume n1");
    node("n1", NodeBaseState.IDLE, NodeFlag.FAIL);
    assertThat(after(0)).containsExactly("/sbin/fail n1");
    assertThat(book.all()).singleElement().matches(t -> t.kinds().contains("draining"));
  }

  @Test
  void theEndOfAJobAndAConfigurationThatIsReadAreTold() {
    set(Trigger.Resource.JOB, "7", 0, false, "fini");
    set(Trigger.Resource.NODE, "*", 0, false, "reconfig");
    book.next(
        List.of(
            new Event.JobEnded(now, 8, JobState.CANCELLED, Reason.NONE),
            new Event.JobEnded(now, 7, JobState.CANCELLED, Reason.NONE),
            new Event.ConfigApplied(now, state.config())),
        state,
        2);
    assertThat(after(0)).containsExactly("/sbin/fini 7", "/sbin/reconfig reconfig");
  }

  @Test
  void triggersAreClearedByWhatTheyAre() {
    set(Trigger.Resource.NODE, "*", 0, false, "down");
    set(Trigger.Resource.NODE, "*", 0, false, "up");
    assertThat(book.clear(t -> t.id() == 9)).isFalse();
    node("n1", NodeBaseState.DOWN);
    assertThat(book.clear(t -> t.id() == 1)).isTrue();
    assertThat(after(1)).isEmpty();
    assertThat(kept).extracting(Trigger::id).containsExactly(2);
  }

  @Test
  void theyAreKeptInAFileOfTheirOwnerAlone(@TempDir Path folder) throws Exception {
    Trigger trigger =
        new Trigger(
            0,
            Trigger.Resource.NODE,
            "n[1-2]",
            new TreeSet<>(Set.of("down", "up")),
            -5,
            "",
            true,
            "/bin/true a b");
    try (TriggerFile file = TriggerFile.in(folder, InstantSource.fixed(now))) {
      file.book().set(trigger, "root");
    }
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(folder.resolve("triggers"))))
        .isEqualTo("rw-------");
    try (TriggerFile file = TriggerFile.in(folder, InstantSource.fixed(now))) {
      assertThat(file.book().all()).containsExactly(trigger.of(1, "root"));
    }
    assertThat(Trigger.of(trigger.fields())).isEqualTo(trigger);
  }
}
