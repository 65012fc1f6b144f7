package dev.yardmaster.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.api.TopologyWire;
import dev.yardmaster.model.Topology;
import dev.yardmaster.model.Topology.Block;
import dev.yardmaster.model.Topology.BlockUnit;
import dev.yardmaster.model.Topology.Flat;
import dev.yardmaster.model.Topology.Switch;
import dev.yardmaster.model.Topology.Tree;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class TopologyConfigTest {
  @TempDir Path dir;

  private ConfigFolder tree(String... lines) {
    return ConfigFolder.lab(dir, "NodeName=n[1-4]", "TopologyPlugin=topology/tree")
        .with("topology.conf", String.join("\n", lines));
  }

  private ConfigFolder block(String... lines) {
    return ConfigFolder.lab(dir, "NodeName=n[1-4]", "TopologyPlugin=topology/block")
        .with("topology.conf", String.join("\n", lines));
  }

  private ConfigFolder yaml(String... lines) {
    return ConfigFolder.lab(dir, "NodeName=n[1-4]").with("topology.yaml", String.join("\n", lines));
  }

  @Test
  void switchesFormATree() {
    ConfigFolder lab =
        tree(
            "SwitchName=s1 Nodes=n[1-2] LinkSpeed=100",
            "switchname=s2 nodes=n[3-4]",
            "SwitchName=top Switches=s[1-2]");
    assertThat(lab.findings()).isEmpty();
    assertThat(lab.config().topology())
        .isEqualTo(
            new Tree(
                "default",
                List.of(
                    new Switch("s1", List.of(), List.of("n1", "n2")),
                    new Switch("s2", List.of(), List.of("n3", "n4")),
                    new Switch("top", List.of("s1", "s2"), List.of()))));
  }

  /** One unknown node made the whole topology fail without saying which. */
  @Test
  void unknownNodeIsNamedAndTheRestKept() {
    ConfigFolder lab = tree("SwitchName=s1 Nodes=n[1-4],x7");
    assertThat(lab.errors())
        .containsExactly(
            "ERROR topology.conf:1: Nodes=n[1-4],x7: node x7 of s1 not described in slurm.conf and"
                + " left out; describe with NodeName= or remove");
    assertThat(lab.config().topology())
        .isEqualTo(
            new Tree(
                "default", List.of(new Switch("s1", List.of(), List.of("n1", "n2", "n3", "n4")))));
  }

  @Test
  void unconnectedFabricsAreSaid() {
    ConfigFolder lab = tree("SwitchName=a Nodes=n[1-2]", "SwitchName=b Nodes=n[3-4]");
    assertThat(lab.findings())
        .containsExactly(
            "INFO topology.conf: the switches a,b are not connected; no job runs across them; add a"
                + " switch above them when they are");
    assertThat(lab.read().config()).isNotNull();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "SwitchName=a Switches=b | FATAL topology.conf:2: Switches=b: there is no switch b; did",
        "SwitchName=a Switches=a | FATAL topology.conf:2: Switches=a: the switch is its own child",
        "SwitchName=s1 Nodes=n4 | FATAL topology.conf:2: SwitchName=s1: also described on line 1",
        "SwitchName=a Nodes=n4 Switches=s1 | FATAL topology.conf:2: SwitchName=a: the switch has",
        "SwitchName=a Nodes=n[4 | FATAL topology.conf:2: Nodes=n[4: unmatched",
        "SwitchName=a Node=n4 | ERROR topology.conf:2: Node=n4: unknown key on a SwitchName line",
        "BlockName=b Nodes=n4 | FATAL topology.conf:2: BlockName=b: a block in a tree; write",
        "RingName=b Nodes=n4 | ERROR topology.conf:2: RingName=b: has no meaning with",
        "prose | FATAL topology.conf:2: \"prose\": not a setting",
      })
  void wrongSwitchesAreNamed(String line, String finding) {
    assertThat(tree("SwitchName=s1 Nodes=n[1-3]", line).errors())
        .anySatisfy(f -> assertThat(f).startsWith(finding));
  }

  @Test
  void loopsAreFound() {
    ConfigFolder lab =
        tree("SwitchName=l Nodes=n[1-4]", "SwitchName=a Switches=b", "SwitchName=b Switches=a,l");
    assertThat(lab.errors())
        .containsExactly(
            "FATAL topology.conf:2: SwitchName=a: the switches form a loop; give the tree a root");
  }

  @Test
  void nodesWithoutSwitchAndOnTwoSwitchesAreReported() {
    assertThat(
            tree("SwitchName=a Nodes=n[1-2]", "SwitchName=b Nodes=n2", "SwitchName=c Switches=a,b")
                .findings())
        .containsExactly(
            "WARNING topology.conf: no switch has the nodes n[3-4]; add them to a switch",
            "WARNING topology.conf:2: Nodes=n2: node n2 is on switch a, too");
  }

  @Test
  void blocksHaveTheirSizes() {
    ConfigFolder lab =
        block("BlockName=b1 Nodes=n[1-2]", "BlockName=b2 Nodes=n[3-4]", "BlockSizes=2,4");
    assertThat(lab.findings()).isEmpty();
    assertThat(lab.config().topology())
        .isEqualTo(
            new Block(
                "default",
                List.of(
                    new BlockUnit("b1", List.of("n1", "n2")),
                    new BlockUnit("b2", List.of("n3", "n4"))),
                List.of(2, 4)));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "BlockSizes=2,6 | FATAL topology.conf:3: BlockSizes=2,6: \"6\" is not 2 times a power of"
            + " two",
        "BlockSizes=0 | FATAL topology.conf:3: BlockSizes=0: \"0\" is not a size; write sizes",
        "BlockSizes=two | FATAL topology.conf:3: BlockSizes=two: \"two\" is not a size",
        "BlockSizes=4 | WARNING topology.conf:1: BlockName=b1: the block has 2 nodes, the base"
            + " size",
        "BlockName=b1 | FATAL topology.conf:3: BlockName=b1: also described on line 1",
        "BlockName=b3 Nodes=n4 | WARNING topology.conf:3: Nodes=n4: node n4 is in block b2, too",
        "SwitchName=s Nodes=n4 | FATAL topology.conf:3: SwitchName=s: a switch among blocks",
      })
  void wrongBlocksAreNamed(String line, String finding) {
    assertThat(block("BlockName=b1 Nodes=n[1-2]", "BlockName=b2 Nodes=n[3-4]", line).findings())
        .first()
        .asString()
        .startsWith(finding);
  }

  @Test
  void emptyOrMissingFileIsRefused() {
    assertThat(tree("# nothing").errors())
        .containsExactly("FATAL topology.conf: no switch is described; write SwitchName= lines");
    assertThat(block("# nothing").errors())
        .containsExactly("FATAL topology.conf: no block is described; write BlockName= lines");
    ConfigFolder without =
        ConfigFolder.of(
            dir.resolve("other"),
            ConfigFolder.HEAD + "TopologyPlugin=topology/tree\nNodeName=n1\n");
    assertThat(without.errors())
        .containsExactly("FATAL topology.conf: does not exist; check the name and the folder");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"topology/flat", "TOPOLOGY/FLAT", "topology/none", "topology/default", "none"})
  void flatHasSeveralNames(String plugin) {
    ConfigFolder lab = ConfigFolder.lab(dir, "NodeName=n1", "TopologyPlugin=" + plugin);
    assertThat(lab.findings()).isEmpty();
    assertThat(lab.config().topology()).isEqualTo(new Flat("default"));
  }

  @Test
  void fileThatNoPluginReadsIsSaid() {
    ConfigFolder lab =
        ConfigFolder.lab(dir, "NodeName=n1").with("topology.conf", "SwitchName=s Nodes=n1");
    assertThat(lab.findings())
        .containsExactly(
            "INFO topology.conf: has no effect with TopologyPlugin=topology/flat; write"
                + " TopologyPlugin=topology/tree or topology/block");
  }

  @Test
  void ringsAreReadFromTopologyConf() {
    ConfigFolder lab =
        ConfigFolder.lab(dir, "NodeName=n[1-4]", "TopologyPlugin=topology/ring")
            .with("topology.conf", "RingName=a Nodes=n[2-4,1]\n");
    assertThat(lab.findings()).isEmpty();
    assertThat(lab.config().topology())
        .isEqualTo(
            new Topology.Ring(
                "default", List.of(new BlockUnit("a", List.of("n2", "n3", "n4", "n1")))));
  }

  @Test
  void yamlHoldsSeveralTopologiesAndTheDefaultComesFirst() {
    ConfigFolder lab =
        yaml(
            "---",
            "- topology: flatone",
            "  flat: true",
            "- topology: fabric",
            "  cluster_default: true",
            "  tree:",
            "    switches:",
            "      - switch: root",
            "        children: s[1-2]",
            "      - switch: s1",
            "        nodes: n[1-2]",
            "      - switch: s2",
            "        nodes: n[3-4]",
            "- topology: nvl",
            "  block:",
            "    block_sizes:",
            "      - 2",
            "      - 4",
            "    blocks:",
            "      - block: b1",
            "        nodes: n[1-2]",
            "      - block: b2",
            "        nodes: n[3-4]");
    var tree =
        new Tree(
            "fabric",
            List.of(
                new Switch("root", List.of("s1", "s2"), List.of()),
                new Switch("s1", List.of(), List.of("n1", "n2")),
                new Switch("s2", List.of(), List.of("n3", "n4"))));
    var blocks =
        new Block(
            "nvl",
            List.of(
                new BlockUnit("b1", List.of("n1", "n2")), new BlockUnit("b2", List.of("n3", "n4"))),
            List.of(2, 4));
    assertThat(lab.findings()).isEmpty();
    assertThat(lab.config().topology()).isEqualTo(tree);
    assertThat(
            ConfigReader.readTopology(dir.resolve("topology.yaml"), Set.of("n1", "n2", "n3", "n4"))
                .topologies())
        .containsExactly((Topology) tree, new Flat("flatone"), blocks);
  }

  @Test
  void yamlDescribesRingsAndTori() {
    ConfigFolder rings =
        yaml(
            "- topology: r", "  ring:", "    rings:", "      - ring: a", "        nodes: n[4,1-3]");
    assertThat(rings.findings()).isEmpty();
    assertThat(rings.config().topology())
        .isEqualTo(
            new Topology.Ring("r", List.of(new BlockUnit("a", List.of("n4", "n1", "n2", "n3")))));
    ConfigFolder tori =
        yaml(
            "- topology: t",
            "  torus3d:",
            "    toruses:",
            "      - name: p",
            "        dims: {x: 4, y: 2, z: 1}",
            "        regions:",
            "          - anchor: {x: 2, y: 0, z: 0}",
            "            dims: {x: 2, y: 2, z: 1}",
            "            nodes: n[1-4]",
            "        placements:",
            "          - dims: {x: 2, y: 1, z: 1}",
            "            anchor_seed: {x: 1, y: 0, z: 0}",
            "          - dims: {x: 2, y: 2, z: 1}",
            "            anchor_spacing: {x: 1, y: 2, z: 1}");
    assertThat(tori.findings()).isEmpty();
    var pair = new Topology.Triple(2, 1, 1);
    var square = new Topology.Triple(2, 2, 1);
    var none = new Topology.Triple(0, 0, 0);
    assertThat(tori.config().topology())
        .isEqualTo(
            new Topology.Torus(
                "t",
                List.of(
                    new Topology.TorusUnit(
                        "p",
                        new Topology.Triple(4, 2, 1),
                        List.of("", "", "n1", "n2", "", "", "n3", "n4"),
                        List.of(
                            new Topology.Box(pair, new Topology.Triple(1, 0, 0), pair),
                            new Topology.Box(square, none, new Topology.Triple(1, 2, 1)))))));
    Topology told = tori.config().topology();
    assertThat(TopologyWire.read(TopologyWire.write(told))).isEqualTo(told);
  }

  @Test
  void yamlGoesBeforeThePluginAndTopologyConf() {
    ConfigFolder lab =
        tree("SwitchName=s1 Nodes=n[1-4]").with("topology.yaml", "- topology: t\n  flat: true\n");
    assertThat(lab.config().topology()).isEqualTo(new Flat("t"));
    assertThat(lab.findings())
        .containsExactly(
            "INFO slurm.conf:4: TopologyPlugin=topology/tree: has no effect beside topology.yaml");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "topology: x | FATAL topology.yaml:1: no list of topologies; ",
        "- flat: true | FATAL topology.yaml:1: the topology has no name; write topology: name",
        "- topology: a | FATAL topology.yaml:1: a: has 0 kinds; write one of block, flat, ring,",
        "- {topology: a, flat: true, ring: {}} | FATAL topology.yaml:1: a: has 2 kinds; ",
        "- {topology: a, flat: true, speed: 1} | FATAL topology.yaml:1: speed: unknown key; ",
        "- {topology: a, ring: {}} | FATAL topology.yaml:1: no ring is described; ",
        "- {topology: a, ring: {rings: [{ring: r, nodes: 'n[1-17]'}]}} | FATAL topology.yaml:1:"
            + " nodes=n[1-17]: a ring has at most 16 nodes",
        "- {topology: a, torus3d: {}} | FATAL topology.yaml:1: toruses: no torus is described; ",
        "- {topology: a, torus3d: {toruses: [{name: p, dims: {x: 2}}]}} | FATAL topology.yaml:1:"
            + " dims: the torus p has no size",
        "- {topology: a, torus3d: {toruses: [{name: p, dims: {x: 2, y: 1, z: 1}, nodes: n1}]}} |"
            + " FATAL topology.yaml:1: nodes: 1 nodes for 2 places",
        "- {topology: a, tree: {}} | FATAL topology.yaml: no switch is described; ",
        "- {topology: a, tree: {switches: [7]}} | FATAL topology.yaml:1: switches: not a desc",
        "- {topology: a, tree: {switches: [{switch: s, nodes: 'n[1'}]}} | FATAL topology.yaml:1:"
            + " nodes=n[1: unmatched",
        "- {topology: a, tree: {switches: [{switch: s, nodes: x1}]}} | ERROR topology.yaml:1:"
            + " nodes=x1: node x1 of s not described",
        "- topology: [ | FATAL topology.yaml:1: not YAML: ",
        "just words | FATAL topology.yaml:1: no list of topologies; ",
      })
  void wrongYamlIsNamedWithItsLine(String text, String finding) {
    assertThat(yaml(text).errors()).anySatisfy(f -> assertThat(f).startsWith(finding));
  }

  @Test
  void yamlFindingsPointToTheLineOfTheValue() {
    assertThat(
            yaml(
                    "- topology: nvl",
                    "  block:",
                    "    block_sizes: [2, 3]",
                    "    blocks:",
                    "      - block: b1",
                    "        nodes: n[1-4]")
                .errors())
        .containsExactly(
            "FATAL topology.yaml:3: block_sizes=2,3: \"3\" is not 2 times a power of two; write for"
                + " example 2,4,8");
  }

  @Test
  void loneFileIsReadByWhatItHolds() {
    tree("BlockName=b Nodes=n[1-4]");
    assertThat(
            ConfigReader.readTopology(dir.resolve("topology.conf"), Set.of("n1", "n2", "n3", "n4"))
                .topologies())
        .containsExactly(
            new Block(
                "default",
                List.of(new BlockUnit("b", List.of("n1", "n2", "n3", "n4"))),
                List.of()));
  }
}
