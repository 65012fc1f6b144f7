package dev.yardmaster.controller;

import static dev.yardmaster.controller.TestCluster.ALICE;
import static dev.yardmaster.controller.TestCluster.ROOT;
import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.model.Partition;
import dev.yardmaster.model.PartitionState;
import dev.yardmaster.model.SlurmError;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class PartitionCommandsTest {
  private final Bench bench = Bench.ready();

  @Test
  void partitionsAreCreatedAndDeletedByAdministrators() {
    var fields = Bench.fields("nodes=n1", "maxtime=60", "default=yes");
    assertThat(Bench.error(bench.handle(new Command.CreatePartition(ALICE, "new", fields))))
        .isEqualTo(SlurmError.INVALID_USER_ID);
    assertThat(Bench.error(bench.handle(new Command.CreatePartition(ROOT, "main", fields))))
        .isEqualTo(SlurmError.INVALID_PARTITION_NAME);
    assertThat(
            Bench.error(bench.handle(new Command.CreatePartition(ROOT, "p".repeat(300), fields))))
        .isEqualTo(SlurmError.INVALID_PARTITION_NAME);
    // As in Slurm any other name will do.
    for (String name : List.of("", "a b", "a|b", "a,b", "äöü")) {
      Command.CreatePartition create =
          new Command.CreatePartition(ROOT, name, Bench.fields("nodes=n1"));
      assertThat(bench.handle(create)).isInstanceOf(Reply.Done.class);
      assertThat(bench.core.state().partitions()).containsKey(name);
      assertThat(bench.handle(new Command.DeletePartition(ROOT, name)))
          .isInstanceOf(Reply.Done.class);
    }
    assertThat(
            Bench.error(
                bench.handle(new Command.CreatePartition(ROOT, "bad", Bench.fields("nodes=n77")))))
        .isEqualTo(SlurmError.INVALID_NODE_NAME);
    assertThat(bench.core.state().partitions()).doesNotContainKey("bad");
    assertThat(bench.handle(new Command.CreatePartition(ROOT, "new", fields)))
        .isInstanceOf(Reply.Done.class);
    var partitions = bench.core.state().partitions();
    assertThat(partitions.values().stream().filter(p -> p.isDefault()).map(p -> p.name()))
        .containsExactly("new");
    assertThat(Bench.error(bench.handle(new Command.DeletePartition(ALICE, "new"))))
        .isEqualTo(SlurmError.INVALID_USER_ID);
    assertThat(Bench.error(bench.handle(new Command.DeletePartition(ROOT, "nix"))))
        .isEqualTo(SlurmError.INVALID_PARTITION_NAME);
    assertThat(bench.handle(new Command.DeletePartition(ROOT, "new")))
        .isInstanceOf(Reply.Done.class);
    assertThat(bench.core.state().partitions()).doesNotContainKey("new");
  }

  @Test
  void aPartitionThatAJobWaitsInStays() {
    bench.handle(new Command.Submit(ALICE, TestCluster.submission("partition=main")));
    assertThat(Bench.error(bench.handle(new Command.DeletePartition(ROOT, "main"))))
        .isEqualTo(SlurmError.PARTITION_IN_USE);
    assertThat(bench.core.state().partitions()).containsKey("main");
  }

  @Test
  void partitionsAreUpdatedByAdministrators() {
    Reply done =
        bench.handle(
            new Command.UpdatePartition(ROOT, "main", Bench.fields("state=drain", "maxtime=60")));
    assertThat(done).isInstanceOf(Reply.Done.class);
    var main = Objects.requireNonNull(bench.core.state().partitions().get("main"));
    assertThat(main.state()).isEqualTo(PartitionState.DRAIN);
    assertThat(main.maxTimeMinutes()).isEqualTo(60);
    ClusterState before = bench.core.state();
    for (String field : List.of("state=foo", "maxtime=x", "bogus=1", "nodes=n77")) {
      assertThat(
              bench.handle(
                  new Command.UpdatePartition(ROOT, "main", Bench.fields("hidden=yes", field))))
          .isInstanceOf(Reply.Refused.class);
    }
    assertThat(
            Bench.error(
                bench.handle(new Command.UpdatePartition(ALICE, "main", Bench.fields("state=up")))))
        .isEqualTo(SlurmError.INVALID_USER_ID);
    assertThat(
            Bench.error(
                bench.handle(new Command.UpdatePartition(ROOT, "nix", Bench.fields("state=up")))))
        .isEqualTo(SlurmError.INVALID_PARTITION_NAME);
    assertThat(bench.core.state()).isSameAs(before);
  }

  private Partition update(String... fields) {
    assertThat(bench.handle(new Command.UpdatePartition(ROOT, "main", Bench.fields(fields))))
        .isInstanceOf(Reply.Done.class);
    return Objects.requireNonNull(bench.core.state().partitions().get("main"));
  }

  @Test
  void memoryCpusDefaultsWeightsAndPreemptionAreChanged() {
    Partition main = update("defmempercpu=100", "maxmempercpu=200", "maxcpuspernode=10");
    assertThat(main.defMemPerCpuMib()).isEqualTo(100);
    assertThat(main.maxMemPerCpuMib()).isEqualTo(200);
    assertThat(main.maxCpusPerNode()).isEqualTo(10);
    main = update("defmempernode=300", "maxmempernode=0", "maxcpuspernode=unlimited");
    assertThat(main.defMemPerNodeMib()).isEqualTo(300);
    assertThat(main.defMemPerCpuMib()).as("one of the two").isNull();
    assertThat(main.maxMemPerNodeMib()).as("0 is no limit").isNull();
    assertThat(main.maxMemPerCpuMib()).isNull();
    assertThat(main.maxCpusPerNode()).isEqualTo(Partition.UNLIMITED);
    main =
        update("jobdefaults=defcpupergpu=2,DefMemPerGPU=1000", "tresbillingweights=CPU=1,mem=.5G");
    assertThat(main.jobDefaults()).isEqualTo(Map.of("DefCpuPerGPU", 2L, "DefMemPerGPU", 1000L));
    assertThat(main.billingWeights()).isEqualTo(Map.of("CPU", "1", "mem", ".5G"));
    main = update("jobdefaults=", "priority=7", "exclusiveuser=yes");
    assertThat(main.jobDefaults()).isEmpty();
    assertThat(main.priorityTier()).isEqualTo(7);
    assertThat(main.priorityJobFactor()).isEqualTo(7);
    assertThat(main.exclusiveUser()).isTrue();
    main = update("exclusivetopo=yes", "cpubind=cores");
    assertThat(main.overSubscribe()).isEqualTo("EXCLUSIVE");
    assertThat(main.exclusiveUser()).isFalse();
    assertThat(main.other())
        .containsEntry("ExclusiveTopo", "YES")
        .containsEntry("CpuBind", "cores");
    main = update("exclusive=no", "cpubind=off");
    assertThat(main.overSubscribe()).isEqualTo("NO");
    assertThat(main.other()).doesNotContainKeys("ExclusiveTopo", "CpuBind");
    main =
        update(
            "maxcpuspersocket=4",
            "gracetime=60",
            "preemptmode=requeue",
            "disablerootjobs=yes",
            "powerdownonidle=yes",
            "allocnodes=n1",
            "alternate=main");
    assertThat(main.other())
        .containsEntry("MaxCPUsPerSocket", "4")
        .containsEntry("GraceTime", "60")
        .containsEntry("PreemptMode", "REQUEUE")
        .containsEntry("DisableRootJobs", "YES")
        .containsEntry("PowerDownOnIdle", "YES")
        .containsEntry("AllocNodes", "n1")
        .containsEntry("Alternate", "main");
    main =
        update(
            "maxcpuspersocket=UNLIMITED",
            "disablerootjobs=no",
            "powerdownonidle=no",
            "allocnodes=ALL",
            "alternate=none");
    assertThat(main.other())
        .doesNotContainKeys(
            "MaxCPUsPerSocket", "DisableRootJobs", "PowerDownOnIdle", "AllocNodes", "Alternate");
  }

  @Test
  void aValueThatCannotBeChangesNothing() {
    ClusterState before = bench.core.state();
    for (String field :
        List.of(
            "defmempercpu=2G",
            "maxmempernode=-1",
            "maxcpuspernode=many",
            "maxcpuspersocket=",
            "priority=high",
            "gracetime=1:00",
            "preemptmode=gang",
            "preemptmode=",
            "exclusiveuser=perhaps",
            "exclusive=perhaps",
            "topology=nosuch",
            "jobdefaults=DefCpuPerGPU",
            "jobdefaults=DefGpuPerCPU=1",
            "jobdefaults=,",
            "tresbillingweights=CPU",
            "tresbillingweights=CPU=-1")) {
      assertThat(bench.handle(new Command.UpdatePartition(ROOT, "main", Bench.fields(field))))
          .as(field)
          .isInstanceOf(Reply.Refused.class);
    }
    assertThat(bench.core.state()).isSameAs(before);
  }
}
