package dev.yardmaster.api;

import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.model.Crontab;
import dev.yardmaster.model.CrontabUpdate;
import dev.yardmaster.model.Identity;

/** Crontabs on the wire. */
public final class CrontabWire {
  private CrontabWire() {}

  public static Rpc.CrontabUpdate write(CrontabUpdate update) {
    Rpc.CrontabUpdate.Builder out = Rpc.CrontabUpdate.newBuilder();
    Identity owner = update.owner();
    if (owner != null) {
      out.setOwner(
          Rpc.CrontabUpdate.User.newBuilder()
              .setUser(owner.user())
              .setUid(owner.uid())
              .setGroup(owner.group())
              .setGid(owner.gid()));
    }
    String text = update.text();
    if (text != null) {
      out.setText(text);
    }
    update.jobs().forEach(job -> out.addJobs(ClusterWire.write(job)));
    return out.build();
  }

  public static CrontabUpdate read(Rpc.CrontabUpdate in) {
    return new CrontabUpdate(
        in.hasOwner() ? owner(in.getOwner()) : null,
        in.hasText() ? in.getText() : null,
        in.getJobsList().stream().map(ClusterWire::read).toList());
  }

  private static Identity owner(Rpc.CrontabUpdate.User in) {
    if (in.getUser().isEmpty()) {
      throw new WireException("the owner of a crontab has no name");
    }
    return new Identity(in.getUser(), in.getUid(), in.getGroup(), in.getGid());
  }

  public static Rpc.Crontab write(Crontab crontab) {
    return Rpc.Crontab.newBuilder()
        .setText(crontab.text())
        .addAllDisabled(crontab.disabled())
        .build();
  }

  public static Crontab read(Rpc.Crontab in) {
    return new Crontab(in.getText(), in.getDisabledList());
  }
}
