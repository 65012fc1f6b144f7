package dev.yardmaster.api;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.protobuf.InvalidProtocolBufferException;
import dev.yardmaster.api.v1.Rpc;
import dev.yardmaster.api.v1.Wire;
import dev.yardmaster.api.v1.WireAccounting;
import dev.yardmaster.api.v1.WireExplain;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.model.Account;
import dev.yardmaster.model.AccountUser;
import dev.yardmaster.model.Accounting;
import dev.yardmaster.model.AccountingChange;
import dev.yardmaster.model.AccountingReport;
import dev.yardmaster.model.Association;
import dev.yardmaster.model.AssociationUsage;
import dev.yardmaster.model.ClusterInfo;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobScript;
import dev.yardmaster.model.JobSubmission;
import dev.yardmaster.model.Node;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PassFigures;
import dev.yardmaster.model.Qos;
import dev.yardmaster.model.QosUsage;
import dev.yardmaster.model.Reservation;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

/** What is written is read back equal, through bytes. */
class WireTest {
  private final Pool pool = Pool.sharing();

  @Property(tries = 300)
  void jobsComeBackEqual(@ForAll long seed) throws InvalidProtocolBufferException {
    Job job = new RandomRecords(seed).next(Job.class);
    byte[] bytes = JobWire.write(job).toByteArray();
    assertThat(JobWire.read(Wire.Job.parseFrom(bytes), pool)).isEqualTo(job);
  }

  @Property(tries = 200)
  void nodesComeBackEqual(@ForAll long seed) throws InvalidProtocolBufferException {
    Node any = new RandomRecords(seed).next(Node.class);
    // What was changed is in the description that is sent.
    Node node = any.withStatus(any.status().withChanges(null));
    byte[] bytes = NodeWire.write(node).toByteArray();
    assertThat(NodeWire.read(Wire.Node.parseFrom(bytes))).isEqualTo(node);
  }

  @Property(tries = 200)
  void partitionsComeBackEqual(@ForAll long seed) throws InvalidProtocolBufferException {
    Partition partition = new RandomRecords(seed).next(Partition.class);
    byte[] bytes = PartitionWire.write(partition).toByteArray();
    assertThat(PartitionWire.read(Wire.Partition.parseFrom(bytes))).isEqualTo(partition);
  }

  @Property(tries = 300)
  void explanationsComeBackEqual(@ForAll long seed) throws InvalidProtocolBufferException {
    Explanation explanation = new RandomRecords(seed).next(Explanation.class);
    byte[] bytes = ExplanationWire.write(explanation).toByteArray();
    assertThat(ExplanationWire.read(WireExplain.Explanation.parseFrom(bytes)))
        .isEqualTo(explanation);
  }

  @Property(tries = 100)
  void everythingElseComesBackEqual(@ForAll long seed) throws InvalidProtocolBufferException {
    RandomRecords random = new RandomRecords(seed);
    Reservation reservation = random.next(Reservation.class);
    assertThat(
            ClusterWire.read(
                Wire.Reservation.parseFrom(ClusterWire.write(reservation).toByteArray())))
        .isEqualTo(reservation);
    JobSubmission submission = random.next(JobSubmission.class);
    assertThat(
            ClusterWire.read(
                Wire.Submission.parseFrom(ClusterWire.write(submission).toByteArray())))
        .isEqualTo(submission);
    JobScript script = random.next(JobScript.class);
    assertThat(ClusterWire.read(Wire.Script.parseFrom(ClusterWire.write(script).toByteArray())))
        .isEqualTo(script);
    PassFigures figures = random.next(PassFigures.class);
    assertThat(
            ClusterWire.read(Wire.PassFigures.parseFrom(ClusterWire.write(figures).toByteArray())))
        .isEqualTo(figures);
    ClusterInfo info = random.next(ClusterInfo.class);
    assertThat(ClusterWire.read(Rpc.ClusterInfo.parseFrom(ClusterWire.write(info).toByteArray())))
        .isEqualTo(info);
  }

  @Property(tries = 200)
  void theAccountingComesBackEqual(@ForAll long seed) throws InvalidProtocolBufferException {
    RandomRecords random = new RandomRecords(seed);
    Account account = random.next(Account.class);
    AccountUser user = random.next(AccountUser.class);
    Qos qos = random.next(Qos.class);
    Association association = random.next(Association.class);
    AccountingReport report =
        new AccountingReport(
            "lab",
            Accounting.initial()
                .apply(
                    AccountingChange.NONE
                        .withAccounts(List.of(account))
                        .withUsers(List.of(user))
                        .withQos(List.of(qos))
                        .withAssociations(List.of(association))),
            new TreeMap<>(Map.of(association.id(), random.next(AssociationUsage.class))),
            new TreeMap<>(Map.of(qos.name(), random.next(QosUsage.class))),
            new TreeMap<>(Map.of(association.id(), 0.25)),
            new TreeMap<>(Map.of(association.id(), new TreeMap<>(Map.of("cpu", 4L)))));
    byte[] bytes = AccountingWire.write(report).toByteArray();
    assertThat(AccountingWire.read(WireAccounting.Accounting.parseFrom(bytes))).isEqualTo(report);
  }

  @Test
  void aWordOfALaterVersionIsNamed() {
    Wire.Job job = JobWire.write(new RandomRecords(1).next(Job.class));
    assertThatThrownBy(() -> JobWire.read(job.toBuilder().setState("DREAMING").build(), pool))
        .isInstanceOf(WireException.class)
        .hasMessageContaining("JobState \"DREAMING\"");
  }

  @Test
  void whatManyJobsHaveInCommonIsOneObject() {
    Job job = new RandomRecords(1).next(Job.class);
    Job first = JobWire.read(JobWire.write(job), pool);
    Job second = JobWire.read(JobWire.write(job), pool);
    assertThat(second.request()).isSameAs(first.request());
    assertThat(second.owner()).isSameAs(first.owner());
  }
}
