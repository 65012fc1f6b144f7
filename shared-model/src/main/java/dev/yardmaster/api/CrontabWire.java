package dev.yardmaster.api;

import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.model.CronEntry;
import dev.yardmaster.model.Crontab;
import dev.yardmaster.model.CrontabUpdate;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.JobSubmission;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Crontabs on the wire. They are sent as a submission of several jobs before which stands one that
 * carries the text, and read as a script of the name {@link #name}.
 */
public final class CrontabWire {
  private static final String NAME = "crontab:";
  private static final String REMOVE = "remove";
  private static final String OWNER = "uid";

  private CrontabWire() {}

  /** What is asked for to read the crontab of a user. */
  public static String name(String user) {
    return NAME + user;
  }

  /** Whose crontab a name asks for. */
  public static Optional<String> user(String name) {
    return name.startsWith(NAME) ? Optional.of(name.substring(NAME.length())) : Optional.empty();
  }

  public static Rpc.HetSubmission write(CrontabUpdate update) {
    Wire.Submission.Builder head = Wire.Submission.newBuilder().putOptions(CronEntry.CRONTAB, "");
    Identity owner = update.owner();
    if (owner != null) {
      head.putOptions(
          OWNER, owner.user() + ":" + owner.uid() + ":" + owner.group() + ":" + owner.gid());
    }
    String text = update.text();
    if (text == null) {
      head.addArguments(REMOVE);
    } else {
      head.setScript(text);
    }
    return Rpc.HetSubmission.newBuilder()
        .addComponents(head)
        .addAllComponents(update.jobs().stream().map(ClusterWire::write).toList())
        .build();
  }

  /**
   * The crontab that a submission is; empty when it is one of jobs.
   *
   * @throws WireException for an owner that cannot be read
   */
  public static Optional<CrontabUpdate> read(Rpc.HetSubmission in) {
    if (in.getComponentsCount() == 0 || !in.getComponents(0).containsOptions(CronEntry.CRONTAB)) {
      return Optional.empty();
    }
    Wire.Submission head = in.getComponents(0);
    List<JobSubmission> jobs = new ArrayList<>();
    in.getComponentsList().stream().skip(1).forEach(job -> jobs.add(ClusterWire.read(job)));
    boolean removed = head.getArgumentsList().contains(REMOVE);
    return Optional.of(
        new CrontabUpdate(
            owner(head.getOptionsOrDefault(OWNER, "")), removed ? null : head.getScript(), jobs));
  }

  private static @Nullable Identity owner(String text) {
    if (text.isEmpty()) {
      return null;
    }
    String[] parts = text.split(":", -1);
    if (parts.length != 4 || !parts[1].matches("[0-9]{1,9}") || !parts[3].matches("[0-9]{1,9}")) {
      throw new WireException("the owner of a crontab: " + text + " is not USER:UID:GROUP:GID");
    }
    return new Identity(parts[0], Integer.parseInt(parts[1]), parts[2], Integer.parseInt(parts[3]));
  }

  public static Wire.Script write(Crontab crontab) {
    return Wire.Script.newBuilder()
        .setScript(crontab.text())
        .addAllArguments(crontab.disabled())
        .build();
  }

  public static Crontab read(Wire.Script in) {
    return new Crontab(in.getScript(), in.getArgumentsList());
  }
}
