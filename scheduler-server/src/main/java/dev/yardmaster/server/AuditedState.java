package dev.yardmaster.server;

import dev.yardmaster.controller.Command;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Crontab;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.text.HostList;
import dev.yardmaster.model.text.JobId;
import dev.yardmaster.model.text.NotationException;
import java.lang.reflect.RecordComponent;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** What a command is about, of a state; and what became different of it. */
final class AuditedState {
  private static final int MOST = 50;
  private static final int LONGEST = 8_000;

  private AuditedState() {}

  /** The two sides of a change, as text. */
  record Change(String before, String after) {}

  /** What a command may change of a state, by names for people. */
  static Map<String, Object> of(Command command, ClusterState state) {
    TreeMap<String, Object> found = new TreeMap<>();
    switch (command) {
      case Command.UpdateJob c -> jobs(List.of(c.jobs()), state, found);
      case Command.HoldJobs c -> jobs(List.of(c.jobs()), state, found);
      case Command.ReleaseJobs c -> jobs(List.of(c.jobs()), state, found);
      case Command.RequeueJobs c -> jobs(List.of(c.jobs()), state, found);
      case Command.TopJobs c -> jobs(List.of(c.jobs()), state, found);
      case Command.SuspendJobs c -> jobs(List.of(c.jobs()), state, found);
      case Command.CompleteJob c -> jobs(List.of(c.job()), state, found);
      case Command.CancelJobs c -> jobs(c.jobs(), state, found);
      case Command.UpdateNodes c -> nodes(c.nodes(), state, found);
      case Command.UpdatePartition _, Command.CreatePartition _, Command.DeletePartition _ ->
          state.partitions().forEach((name, one) -> found.put("partition " + name, one));
      case Command.SaveReservation _, Command.DeleteReservation _ ->
          state.reservations().forEach((name, one) -> found.put("reservation " + name, one));
      case Command.ChangeAccounting _ -> {
        state.accounting().accounts().forEach((name, one) -> found.put("account " + name, one));
        state.accounting().users().forEach((name, one) -> found.put("user " + name, one));
        state.accounting().qos().forEach((name, one) -> found.put("qos " + name, one));
        state.accounting().associations().forEach((id, one) -> found.put("assoc " + id, one));
      }
      case Command.SaveCrontab c -> {
        Crontab crontab = state.crontabs().get(c.owner().user());
        if (crontab != null) {
          found.put("crontab of " + c.owner().user(), crontab);
        }
      }
      case Command.Reconfigure _ -> found.putAll(SettingsList.of(state.config()));
      default -> {}
    }
    return found;
  }

  private static void jobs(List<String> lists, ClusterState state, Map<String, Object> found) {
    for (String list : lists) {
      for (String id : list.split(",")) {
        if (found.size() < MOST) {
          try {
            Chosen.find(state, JobId.parse(id.strip()))
                .ifPresent(job -> found.put("job " + job.displayId(), job));
          } catch (NotationException e) {
            // The controller says what is wrong with it.
            continue;
          }
        }
      }
    }
  }

  private static void nodes(String list, ClusterState state, Map<String, Object> found) {
    try {
      for (String name : HostList.parse(list)) {
        Node node = state.node(name);
        if (node != null && found.size() < MOST) {
          found.put("node " + name, node.status());
        }
      }
    } catch (NotationException e) {
      // The controller says what is wrong with it.
      return;
    }
  }

  /** What is different, component by component. */
  static Change between(Map<String, Object> before, Map<String, Object> after) {
    StringBuilder old = new StringBuilder();
    StringBuilder now = new StringBuilder();
    TreeSet<String> names = new TreeSet<>(before.keySet());
    names.addAll(after.keySet());
    for (String name : names) {
      Object a = before.get(name);
      Object b = after.get(name);
      if (!Objects.equals(a, b)) {
        List<String> left = new ArrayList<>();
        List<String> right = new ArrayList<>();
        if (a instanceof Record first && b instanceof Record second) {
          compare(first, second, left, right);
        } else {
          left.add(a == null ? "none" : a.toString());
          right.add(b == null ? "none" : b.toString());
        }
        add(old, name, left);
        add(now, name, right);
      }
    }
    return new Change(old.toString(), now.toString());
  }

  private static void add(StringBuilder to, String name, List<String> values) {
    if (to.length() < LONGEST) {
      to.append(to.isEmpty() ? "" : "; ").append(name).append(": ");
      to.append(String.join(", ", values));
    }
    if (to.length() > LONGEST) {
      to.setLength(LONGEST);
    }
  }

  private static void compare(Record a, Record b, List<String> left, List<String> right) {
    for (RecordComponent component : a.getClass().getRecordComponents()) {
      Object first = value(component, a);
      Object second = value(component, b);
      if (!Objects.equals(first, second)) {
        left.add(component.getName() + "=" + first);
        right.add(component.getName() + "=" + second);
      }
    }
  }

  /** What a component of a record holds. */
  static @Nullable Object value(RecordComponent component, Record record) {
    try {
      return component.getAccessor().invoke(record);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("a component of a public record", e);
    }
  }
}
