package dev.yardmaster.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.Credential;
import dev.yardmaster.client.DefaultSchedulerClient;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.client.Selection;
import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.explain.Words;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.Identity;
import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.SlurmError;
import dev.yardmaster.security.Authenticator;
import java.io.IOException;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** PrivateData, for every way to read. */
class PrivacyTest {
  private static final Credential ROOT = new Credential("root", 0, "root", 0, null);

  // Every test serves first, with settings of its own.
  @SuppressWarnings("NullAway.Init")
  private TestServer server;

  @SuppressWarnings("NullAway.Init")
  private SchedulerClient client;

  /** Job 1 is alice's, job 2 is bob's. */
  private void serve(String privateData, String as) throws IOException {
    Lab lab =
        Lab.with()
            .nodes("n[1-2]")
            .partition("main", "n[1-2]", p -> p.withIsDefault(true))
            .setting("PrivateData", privateData)
            .build();
    lab.submit(JobSpec.job("hers").user("alice"));
    lab.submit(JobSpec.job("his").user("bob"));
    lab.pass();
    server = TestServer.of(new ScriptedController(lab.state()), Authenticator.none());
    int uid = lab.job(as.equals("bob") ? 2 : 1).owner().uid();
    client =
        DefaultSchedulerClient.of(
            server.endpoint(), as.equals("root") ? ROOT : new Credential(as, uid, as, uid, null));
  }

  @AfterEach
  void stop() {
    client.close();
    server.close();
  }

  private List<Integer> seen(Selection selection) throws ClientException {
    return List.copyOf(client.read(selection).jobs().keySet());
  }

  @ParameterizedTest
  @CsvSource({"jobs, alice, 1", "'usage,Jobs', bob, 2", "all, alice, 1"})
  void aUserSeesOwnJobsAlone(String privateData, String user, int own) throws Exception {
    serve(privateData, user);
    assertThat(seen(Selection.ALL)).containsExactly(own);
    assertThat(seen(Selection.of(Selection.Jobs.LIVE))).containsExactly(own);
    assertThat(seen(Selection.of(Selection.Jobs.ALL).onlyJobs(List.of("1", "2"))))
        .containsExactly(own);
  }

  @Test
  void aHiddenJobIsNoJobForThoseWhoAskForIt() throws Exception {
    serve("jobs", "bob");
    ClientException.Refused explained =
        catchThrowableOfType(ClientException.Refused.class, () -> client.explain("1"));
    assertThat(explained.number()).isEqualTo(SlurmError.INVALID_JOB_ID.number());
    ClientException.Refused script =
        catchThrowableOfType(ClientException.Refused.class, () -> client.script("1"));
    assertThat(script.number()).isEqualTo(SlurmError.INVALID_JOB_ID.number());
    assertThat(client.explain("2").jobName()).isEqualTo("his");
  }

  @Test
  void anExplanationTellsWhatHiddenJobsTakeAndNothingOfWhoTheyAre() throws Exception {
    Lab lab =
        Lab.with()
            .nodes("n1")
            .partition("main", "n1", p -> p.withIsDefault(true))
            .setting("PrivateData", "jobs")
            .build();
    lab.submit(JobSpec.job("secret1").user("alice").exclusive().minutes(30));
    lab.pass();
    lab.submit(JobSpec.job("secret2").user("alice").exclusive().priority(9).minutes(30));
    int his = lab.submit(JobSpec.job("his").user("bob").exclusive().priority(8));
    lab.pass();
    server = TestServer.of(new ScriptedController(lab.state()), Authenticator.none());
    int uid = lab.job(his).owner().uid();
    client =
        DefaultSchedulerClient.of(server.endpoint(), new Credential("bob", uid, "bob", uid, null));
    Explanation e = client.explain(Integer.toString(his));
    assertThat(e.blockers()).isNotEmpty().allMatch(b -> b.name().isEmpty() && b.user().isEmpty());
    assertThat(e.remedies()).noneMatch(r -> r.lever() == Remedy.Lever.OTHER_JOB_ENDS);
    assertThat(Words.of(Locale.ENGLISH, ZoneOffset.UTC).ticket(e))
        .contains("A job that you may not see: holds 16 CPUs until")
        .doesNotContain("secret")
        .doesNotContain("alice")
        .doesNotContain("job 1")
        .doesNotContain("job 2");
  }

  @Test
  void hiddenNodesAndPartitionsAreRefusedOrLeftOut() throws Exception {
    serve("nodes,partitions", "bob");
    ClientException.Refused refused =
        catchThrowableOfType(ClientException.Refused.class, () -> client.read(Selection.NODES));
    assertThat(refused.number()).isEqualTo(SlurmError.ACCESS_DENIED.number());
    assertThat(client.read(Selection.ALL).nodes()).isEmpty();
    assertThat(client.read(Selection.ALL).partitions()).isEmpty();
    assertThat(seen(Selection.ALL)).containsExactly(1, 2);
    stop();
    serve("nodes,partitions", "root");
    assertThat(client.read(Selection.NODES).nodes()).hasSize(2);
    assertThat(client.read(Selection.ALL).partitions()).hasSize(1);
  }

  @Test
  void aUserSeesTheReservationsThatLetHimInAlone() throws Exception {
    Lab lab =
        Lab.with()
            .nodes("n[1-2]")
            .partition("main", "n[1-2]", p -> p.withIsDefault(true))
            .setting("PrivateData", "reservations")
            .build();
    lab.reserve("hers", lab.now(), 60, "n1", "alice");
    lab.reserve("his", lab.now(), 60, "n2", "bob");
    Identity bob = new Identity("bob", 1002, "bob", 1002);
    Privacy privacy = new Privacy(lab.state(), bob);
    assertThat(lab.state().reservations().values().stream().filter(privacy::shows))
        .extracting(Reservation::name)
        .containsExactly("his");
    server = TestServer.of(new ScriptedController(lab.state()), Authenticator.none());
    client =
        DefaultSchedulerClient.of(
            server.endpoint(), new Credential("bob", 1002, "bob", 1002, null));
    assertThat(client.read(Selection.ALL).reservations()).containsOnlyKeys("his");
  }

  @Test
  void aUserSeesNoOtherUserAndTheAccountsHeIsIn() throws Exception {
    Lab lab =
        Lab.with()
            .nodes("n1")
            .partition("main", "n1", p -> p.withIsDefault(true))
            .setting("PrivateData", "users,accounts")
            .build();
    lab.accounts(List.of("add", "account", "lab"));
    lab.accounts(List.of("add", "account", "team", "parent=lab"));
    lab.accounts(List.of("add", "account", "other"));
    lab.accounts(List.of("add", "user", "alice", "account=other"));
    lab.accounts(List.of("add", "user", "bob", "account=team"));
    lab.accounts(List.of("add", "user", "carol", "account=team"));
    server = TestServer.of(new ScriptedController(lab.state()), Authenticator.none());
    client =
        DefaultSchedulerClient.of(
            server.endpoint(), new Credential("bob", 1002, "bob", 1002, null));
    Accounting shown = client.accounting().accounting();
    assertThat(shown.users()).containsOnlyKeys("bob");
    assertThat(shown.accounts()).containsOnlyKeys("lab", "root", "team");
    assertThat(shown.associations().values())
        .extracting(a -> a.account() + "/" + a.user())
        .containsExactlyInAnyOrder("root/", "lab/", "team/", "team/bob");
    stop();
    server = TestServer.of(new ScriptedController(lab.state()), Authenticator.none());
    client = DefaultSchedulerClient.of(server.endpoint(), ROOT);
    assertThat(client.accounting().accounting().users()).containsKeys("alice", "bob", "carol");
  }

  @Test
  void rootSeesAll() throws Exception {
    serve("jobs", "root");
    assertThat(seen(Selection.ALL)).containsExactly(1, 2);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "usage", "nodes,partitions"})
  void whatIsNotPrivateIsSeenByAll(String privateData) throws Exception {
    serve(privateData, "alice");
    assertThat(seen(Selection.ALL)).containsExactly(1, 2);
  }
}
