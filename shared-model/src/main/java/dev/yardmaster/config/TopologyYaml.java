package dev.yardmaster.config;

import com.fasterxml.jackson.core.JsonLocation;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.JsonToken;
import com.fasterxml.jackson.dataformat.yaml.YAMLFactory;
import dev.yardmaster.model.Topology;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Reads topology.yaml(5): several topologies by name, of which one is the cluster's. */
final class TopologyYaml {
  private static final Set<String> KINDS = Set.of("tree", "block", "flat", "ring", "torus3d");

  private final Path file;
  private final Set<String> nodes;
  private final Findings findings;

  /** A value of the file with the line on which it stands. */
  sealed interface Value {
    int line();
  }

  record Scalar(int line, String text) implements Value {}

  record Items(int line, List<Value> items) implements Value {}

  record Fields(int line, Map<String, Value> fields) implements Value {}

  private TopologyYaml(Path file, Set<String> nodes, Findings findings) {
    this.file = file;
    this.nodes = nodes;
    this.findings = findings;
  }

  /** The topologies, the cluster's first; empty with a finding when there is none. */
  static List<Topology> read(Path file, Set<String> nodes, Findings findings) {
    String text = LineSource.read(file, findings);
    if (text == null) {
      return List.of();
    }
    var yaml = new TopologyYaml(file, nodes, findings);
    try (JsonParser parser = YAMLFactory.builder().build().createParser(text)) {
      Value root = parser.nextToken() == null ? new Items(1, List.of()) : yaml.value(parser, 0);
      return yaml.topologies(root);
    } catch (JsonProcessingException e) {
      JsonLocation at = e.getLocation();
      String why = e.getOriginalMessage().lines().findFirst().orElse("");
      findings.add(
          Severity.FATAL,
          file,
          at == null ? 0 : at.getLineNr(),
          "not YAML: " + why,
          "mend the line");
      return List.of();
    } catch (IOException | RuntimeException e) {
      findings.add(Severity.FATAL, file, 0, "not YAML", "mend the file");
      return List.of();
    }
  }

  private Value value(JsonParser parser, int depth) throws IOException {
    int line = Math.max(0, parser.currentTokenLocation().getLineNr());
    if (depth > 20) {
      findings.add(Severity.FATAL, file, line, "nested too deeply", "mend the indentation");
      parser.skipChildren();
      return new Scalar(line, "");
    }
    JsonToken token = parser.currentToken();
    if (token == JsonToken.START_ARRAY) {
      List<Value> items = new ArrayList<>();
      while (parser.nextToken() != JsonToken.END_ARRAY) {
        items.add(value(parser, depth + 1));
      }
      return new Items(line, items);
    }
    if (token == JsonToken.START_OBJECT) {
      Map<String, Value> fields = new LinkedHashMap<>();
      while (parser.nextToken() != JsonToken.END_OBJECT) {
        String name = parser.currentName();
        parser.nextToken();
        fields.put(name, value(parser, depth + 1));
      }
      return new Fields(line, fields);
    }
    String text = parser.getText();
    return new Scalar(line, text == null ? "" : text);
  }

  private List<Topology> topologies(Value root) {
    if (!(root instanceof Items list) || list.items().isEmpty()) {
      fatal(root.line(), "", "no list of topologies", "begin each with \"- topology: name\"");
      return List.of();
    }
    List<Topology> found = new ArrayList<>();
    List<String> names = new ArrayList<>();
    int chosen = -1;
    for (Value item : list.items()) {
      if (!(item instanceof Fields fields)) {
        fatal(item.line(), "", "not a topology", "begin each with \"- topology: name\"");
        continue;
      }
      String name = text(fields, "topology");
      if (name.isEmpty()) {
        fatal(item.line(), "", "the topology has no name", "write topology: name");
      } else if (names.contains(name)) {
        fatal(item.line(), name, "described twice", "give each topology its own name");
      }
      names.add(name);
      if (chosen < 0 && Values.bool(text(fields, "cluster_default")).orElse(false)) {
        chosen = found.size();
      }
      found.add(topology(name, fields));
    }
    if (chosen > 0) {
      found.addFirst(found.remove(chosen));
    }
    return found;
  }

  private Topology topology(String name, Fields fields) {
    List<String> kinds = fields.fields().keySet().stream().filter(KINDS::contains).toList();
    for (String key : fields.fields().keySet()) {
      if (!KINDS.contains(key) && !key.equals("topology") && !key.equals("cluster_default")) {
        fatal(
            fields.line(),
            key,
            "unknown key",
            "allowed: cluster_default, " + String.join(", ", new TreeSet<>(KINDS)));
      }
    }
    if (kinds.size() != 1) {
      fatal(
          fields.line(),
          name,
          "has " + kinds.size() + " kinds",
          "write one of block, flat, ring, torus3d, tree");
      return new Topology.Flat(name);
    }
    Value body = fields.fields().get(kinds.getFirst());
    Fields inner =
        body instanceof Fields f
            ? f
            : new Fields(body == null ? fields.line() : body.line(), Map.of());
    return switch (kinds.getFirst()) {
      case "tree" -> tree(name, inner);
      case "block" -> block(name, inner);
      case "flat" -> new Topology.Flat(name);
      case "ring" -> ring(name, inner);
      default -> new TorusYaml(this).read(name, inner);
    };
  }

  private Topology ring(String name, Fields body) {
    List<TopologyCheck.BlockLine> lines = new ArrayList<>();
    for (Fields item : items(body, "rings")) {
      Setting members = setting(item, "nodes");
      lines.add(new TopologyCheck.BlockLine(setting(item, "ring"), members, names(members)));
    }
    return new TopologyCheck(nodes, findings).ring(name, file, body.line(), lines);
  }

  private Topology tree(String name, Fields body) {
    List<TopologyCheck.SwitchLine> lines = new ArrayList<>();
    for (Fields item : items(body, "switches")) {
      Setting head = setting(item, "switch");
      Setting children = setting(item, "children");
      Setting members = setting(item, "nodes");
      lines.add(
          new TopologyCheck.SwitchLine(head, children, names(children), members, names(members)));
    }
    return new TopologyCheck(nodes, findings).tree(name, file, lines);
  }

  private Topology block(String name, Fields body) {
    List<TopologyCheck.BlockLine> lines = new ArrayList<>();
    for (Fields item : items(body, "blocks")) {
      Setting members = setting(item, "nodes");
      lines.add(new TopologyCheck.BlockLine(setting(item, "block"), members, names(members)));
    }
    Value sizes = body.fields().get("block_sizes");
    List<String> texts = new ArrayList<>();
    if (sizes instanceof Items list) {
      list.items().forEach(v -> texts.add(v instanceof Scalar s ? s.text() : "?"));
    } else if (sizes instanceof Scalar s) {
      texts.addAll(Values.list(s.text()));
    }
    Setting at =
        sizes == null
            ? null
            : new Setting(file, sizes.line(), "block_sizes", String.join(",", texts));
    return new TopologyCheck(nodes, findings).block(name, file, lines, at, texts);
  }

  List<Fields> items(Fields body, String key) {
    List<Fields> items = new ArrayList<>();
    if (body.fields().get(key) instanceof Items list) {
      for (Value item : list.items()) {
        if (item instanceof Fields fields) {
          items.add(fields);
        } else {
          fatal(item.line(), key, "not a description", "write name and nodes of each");
        }
      }
    }
    return items;
  }

  List<String> names(Setting at) {
    if (at.value().isEmpty()) {
      return List.of();
    }
    KeySpec hosts =
        KeyTable.of(Section.SWITCH).find("Nodes").orElseThrow(IllegalStateException::new);
    return ValueCheck.check(at, hosts, findings) ? TopologyConf.expand(at.value()) : List.of();
  }

  Setting setting(Fields fields, String key) {
    @Nullable Value value = fields.fields().get(key);
    return new Setting(file, value == null ? fields.line() : value.line(), key, text(fields, key));
  }

  /** A field's text; a list of texts is joined as a host list. */
  private static String text(Fields fields, String key) {
    return switch (fields.fields().get(key)) {
      case Scalar s -> s.text().equals("null") ? "" : s.text();
      case Items list ->
          String.join(
              ",", list.items().stream().map(v -> v instanceof Scalar s ? s.text() : "").toList());
      case null, default -> "";
    };
  }

  void fatal(int line, String key, String message, String suggestion) {
    findings.add(new ConfigFinding(Severity.FATAL, file, line, key, "", message, suggestion));
  }
}
