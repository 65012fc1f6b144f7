package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.Accounting;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Whether there are the users and groups that a reservation is for. Where nodes are simulated,
 * anybody may be.
 *
 * @param before what scontrol says before its words for an error
 */
record ReservationPeople(@Nullable String cluster, Io io, String before) {
  /**
   * Checks that this machine or the accounting knows the users.
   *
   * @param otherwise the words of the error
   */
  void checkUsers(Map<String, String> fields, String otherwise) throws CommandFailure {
    String users = fields.getOrDefault("users", "").replaceFirst("^[+-]=", "");
    List<String> unknown =
        Formats.list(users).stream()
            .map(user -> user.replaceFirst("^[+-]", "").strip())
            .filter(user -> !io.machine().hasUser(user))
            .toList();
    if (unknown.isEmpty()) {
      return;
    }
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      Accounting accounting = client.accounting().accounting();
      boolean known = accounting.users().keySet().containsAll(unknown);
      if (!known && !client.info().simulatedNodes()) {
        throw new CommandFailure(
            1, before + otherwise, Hint.of("nobody knows the users " + String.join(", ", unknown)));
      }
    } catch (ClientException e) {
      throw new CommandFailure(1, before + Session.words(e));
    }
  }

  /** Checks that this machine knows the groups: no other has members. */
  void checkGroups(Map<String, String> fields) throws CommandFailure {
    String groups = fields.getOrDefault("groups", "").replaceFirst("^[+-]=", "");
    List<String> unknown =
        Formats.list(groups).stream()
            .map(group -> group.replaceFirst("^[+]", "").strip())
            .filter(group -> !group.startsWith("-") && !io.machine().hasGroup(group))
            .toList();
    if (unknown.isEmpty()) {
      return;
    }
    try (SchedulerClient client = Session.open("scontrol", cluster, io)) {
      if (!client.info().simulatedNodes()) {
        throw new CommandFailure(
            1,
            before + "Invalid group id",
            Hint.of("nobody knows the groups " + String.join(", ", unknown)));
      }
    } catch (ClientException e) {
      throw new CommandFailure(1, before + Session.words(e));
    }
  }
}
