package dev.yardmaster.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class AssocMgrTest extends CommandTestBase {
  @Test
  void aQosShowsWhatItsJobsHoldAndHowManyThereAre() throws IOException {
    fill();
    Captured command = serve();
    assertThat(command.run("scontrol", "show", "assoc_mgr", "flags=qos")).isZero();
    assertThat(command.out())
        .startsWith("Current Association Manager state\n\nQOS Records\n\nQOS=normal(1)\n")
        .contains("    GrpJobs=N(4) ")
        .contains("GrpTRES=cpu=N(")
        .contains("node=N(5)")
        .contains("      bob(")
        .doesNotContain("Association Records");
  }

  @Test
  void associationsCanBeChosenByAccount() throws IOException {
    Captured command = serve();
    command.run("scontrol", "show", "assoc_mgr", "accounts=root", "flags=assoc");
    assertThat(command.out())
        .contains("Account=root UserName= Partition= Priority=0 ID=1\n    SharesRaw")
        .contains("ParentAccount= Lineage=/0-root/ DefAssoc=");
  }

  @Test
  void aUserIsChosenAmongUsersAndAccountsStay() throws IOException {
    Captured command = serve();
    command.run("scontrol", "show", "assoc_mgr", "users=nosuch", "flags=assoc");
    assertThat(command.out())
        .contains("Account=root UserName= Partition=")
        .doesNotContainPattern("UserName=[a-z]");
  }

  @Test
  void aWrongFilterIsNamed() throws IOException {
    Captured command = serve();
    assertThat(command.run("scontrol", "show", "assoc_mgr", "colour=red")).isOne();
    assertThat(command.err()).contains("invalid entity: colour=red for keyword:show assoc_mgr");
    command.run("scontrol", "show", "assoc_mgr", "flags=red");
    assertThat(command.err()).contains("invalid flag 'red'");
  }
}
