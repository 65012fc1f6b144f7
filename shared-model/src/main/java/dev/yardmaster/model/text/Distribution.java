package dev.yardmaster.model.text;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.StringJoiner;
import org.jspecify.annotations.Nullable;

/**
 * How tasks spread over the nodes, sockets and cores of a job (sbatch(1), {@code --distribution}):
 * {@code cyclic}, {@code block:cyclic:fcyclic}, {@code plane=4}, {@code arbitrary}, and whether few
 * nodes are to be filled ({@code ,Pack}, {@code ,NoPack}).
 *
 * @param planeSize tasks of a plane; 0 for other methods
 * @param sockets over the sockets of a node
 * @param cores over the cores of a socket
 */
public record Distribution(
    Nodes nodes, int planeSize, Within sockets, Within cores, Packing packing) {
  private static final String NOTATION = "distribution";
  private static final String RIGHT = "write block, cyclic, plane=SIZE or arbitrary";

  /** Over the nodes. */
  public enum Nodes {
    DEFAULT,
    BLOCK,
    CYCLIC,
    PLANE,
    ARBITRARY
  }

  /** Over sockets, or over cores. */
  public enum Within {
    DEFAULT,
    BLOCK,
    CYCLIC,
    FCYCLIC
  }

  /** Whether few nodes are filled rather than many used. */
  public enum Packing {
    DEFAULT,
    PACK,
    NOPACK
  }

  /** Leaves out what does not go with the method: what is written is all there is. */
  public Distribution {
    if (nodes == Nodes.DEFAULT && packing == Packing.DEFAULT) {
      nodes = Nodes.BLOCK;
    }
    planeSize = nodes == Nodes.PLANE ? Math.max(1, planeSize) : 0;
    packing = nodes == Nodes.PLANE ? Packing.DEFAULT : packing;
    if (nodes != Nodes.BLOCK && nodes != Nodes.CYCLIC) {
      sockets = Within.DEFAULT;
    }
    if (sockets == Within.DEFAULT) {
      cores = Within.DEFAULT;
    }
  }

  /**
   * Parses the value of the option; letters may be small or large.
   *
   * @throws NotationException saying what would be right
   */
  public static Distribution parse(String text) {
    if (text.toLowerCase(Locale.ROOT).startsWith("plane")) {
      return new Distribution(
          Nodes.PLANE, planeSize(text), Within.DEFAULT, Within.DEFAULT, Packing.DEFAULT);
    }
    String[] parts = text.split(",", 2);
    Packing packing = parts.length == 2 ? packing(text, parts[1]) : Packing.DEFAULT;
    String base = parts[0].toLowerCase(Locale.ROOT);
    if (parts.length == 1 && (base.equals("pack") || base.equals("nopack"))) {
      return new Distribution(
          Nodes.DEFAULT, 0, Within.DEFAULT, Within.DEFAULT, packing(text, base));
    }
    String[] levels = base.split(":", -1);
    if (levels.length > 3) {
      throw new NotationException(NOTATION, text, 0, "more than three levels", RIGHT);
    }
    Nodes nodes =
        switch (levels[0]) {
          case "block", "*" -> Nodes.BLOCK;
          case "cyclic" -> Nodes.CYCLIC;
          case "arbitrary", "hostfile" -> Nodes.ARBITRARY;
          default ->
              throw new NotationException(
                  NOTATION, text, 1, "\"" + levels[0] + "\" is no method", RIGHT);
        };
    if (nodes == Nodes.ARBITRARY && levels.length > 1) {
      throw new NotationException(NOTATION, text, 0, "arbitrary has one level", RIGHT);
    }
    Within sockets = levels.length > 1 ? within(text, levels[1], Within.CYCLIC) : Within.DEFAULT;
    Within cores = levels.length > 2 ? within(text, levels[2], sockets) : Within.DEFAULT;
    return new Distribution(nodes, 0, sockets, cores, packing);
  }

  /**
   * Whether tasks fill few nodes: only where they go block by block, which they do unless the job
   * or step says otherwise.
   *
   * @param wish null when none was given
   * @param usually SelectTypeParameters=CR_Pack_Nodes (slurm.conf(5))
   */
  public static boolean packs(@Nullable Distribution wish, boolean usually) {
    if (wish == null) {
      return usually;
    }
    return switch (wish.nodes) {
      case DEFAULT, BLOCK ->
          wish.packing == Packing.DEFAULT ? usually : wish.packing == Packing.PACK;
      case CYCLIC, PLANE, ARBITRARY -> false;
    };
  }

  private static Packing packing(String text, String word) {
    return switch (word.toLowerCase(Locale.ROOT)) {
      case "pack" -> Packing.PACK;
      case "nopack" -> Packing.NOPACK;
      default ->
          throw new NotationException(
              NOTATION,
              text,
              0,
              "\"" + word + "\" says nothing of packing",
              "write Pack or NoPack");
    };
  }

  private static int planeSize(String text) {
    String base = text.toLowerCase(Locale.ROOT);
    if (!base.matches("plane=0*[1-9][0-9]{0,8}")) {
      throw new NotationException(NOTATION, text, 0, "a plane has at least one task", RIGHT);
    }
    return Integer.parseInt(base.substring("plane=".length()));
  }

  private static Within within(String text, String word, Within usual) {
    return switch (word) {
      case "*" -> usual;
      case "block" -> Within.BLOCK;
      case "cyclic" -> Within.CYCLIC;
      case "fcyclic" -> Within.FCYCLIC;
      default ->
          throw new NotationException(
              NOTATION, text, 0, "\"" + word + "\" is no method", "write block, cyclic or fcyclic");
    };
  }

  /** As the option is written. */
  @Override
  public String toString() {
    StringJoiner out = new StringJoiner(",");
    if (nodes == Nodes.PLANE) {
      out.add("plane=" + planeSize);
    } else if (nodes != Nodes.DEFAULT) {
      List<String> levels = new ArrayList<>(List.of(word(nodes)));
      if (sockets != Within.DEFAULT) {
        levels.add(word(sockets));
      }
      if (cores != Within.DEFAULT) {
        levels.add(word(cores));
      }
      out.add(String.join(":", levels));
    }
    if (packing != Packing.DEFAULT) {
      out.add(word(packing));
    }
    return out.toString();
  }

  private static String word(Enum<?> method) {
    return method.name().toLowerCase(Locale.ROOT);
  }
}
