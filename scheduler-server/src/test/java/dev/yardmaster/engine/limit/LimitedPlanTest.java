package dev.yardmaster.engine.limit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.controller.accounts.AccountingEditor;
import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.engine.Pass;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.JobOwner;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Limits on amounts are looked at once nodes were found; limits on numbers of jobs before. What a
 * limit would hold back takes no nodes in the plan.
 */
class LimitedPlanTest {
  private static final Identity ROOT = new Identity("root", 0, "root", 0);

  private final Lab lab =
      Lab.with()
          .nodes("n[1-4]")
          .partition("main", "n[1-4]", p -> p.withIsDefault(true))
          .setting("AccountingStorageEnforce", "associations,limits,qos")
          .build();

  LimitedPlanTest() {
    set("add account lab GrpTRES=gres/gpu=8");
    set("add account team parent=lab GrpTRES=node=3");
    set("add user alice account=team");
    set("add user bob account=lab");
  }

  private void set(String line) {
    var edit = new AccountingEditor(lab.state(), true, ROOT).edit(List.of(line.split(" ")));
    lab.apply(new Event.AccountingChanged(lab.now(), edit.change(), "root", line));
  }

  private int submit(String user, String options) {
    String account = user.equals("alice") ? "team" : "lab";
    JobSpec spec =
        JobSpec.parse("j", List.of(options.split(" ")), lab.now())
            .user(user)
            .also(j -> j.withOwner(new JobOwner(user, 1001, user, 1001, account, "normal", "")));
    return lab.submit(spec);
  }

  @Test
  void aJobHeldByAnAmountKeepsNoNodesInThePlanAndShowsWhenTheyWouldBeThere() {
    submit("bob", "-N3 -n48 --gpus-per-node=1 -t60 --priority=9");
    submit("alice", "-N1 -n16 -t60 --priority=9");
    lab.pass();
    int wide = submit("bob", "-N1 -n1 --gres=gpu:8 -t60 --priority=8");
    int nodes = submit("alice", "-N3 -n3 --gpus-per-node=2 -w n[1-3] -t60 --priority=7");
    int behind = submit("bob", "-N4 -n64 -t60 --priority=6");
    lab.pass();
    assertThat(lab.show(wide)).isEqualTo("PD AssocGrpGRES 13:00:00");
    assertThat(lab.show(nodes)).as("the nearest level").isEqualTo("PD AssocGrpNodeLimit 13:00:00");
    assertThat(lab.show(behind))
        .as("the main pass keeps the named nodes")
        .isEqualTo(
            "PD Nodes required for job are DOWN, DRAINED or reserved for jobs in higher priority"
                + " partitions 13:00:00 n[1-4]");
  }

  @Test
  void aJobThatLacksNodesWaitsForTheseBeforeItsLimitsAreLookedAt() {
    submit("bob", "-N4 -n64 -t60 --priority=9");
    lab.pass();
    int wide = submit("bob", "-N1 -n1 --gres=gpu:8 -t60 --priority=8");
    lab.pass(Pass.HOUSEKEEPING, Pass.MAIN);
    assertThat(lab.show(wide)).isEqualTo("PD Resources");
  }
}
