package dev.yardmaster.console.shell;

import dev.yardmaster.console.kit.Tone;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One line of the explorer tree.
 *
 * @param id unique in the tree and stable, so that it stays expanded when the tree is replaced
 * @param label its text
 * @param detail a count or a time at the right, or empty
 * @param mark the mark before the label, or null for none
 * @param target what is selected with it, or null for a group
 * @param expanded whether it is open when it is first shown
 * @param children the lines below it
 */
public record ExplorerItem(
    String id,
    String label,
    String detail,
    @Nullable Tone mark,
    @Nullable Item target,
    boolean expanded,
    List<ExplorerItem> children) {
  public ExplorerItem {
    children = List.copyOf(children);
  }

  /** A group that is open at first. */
  public static ExplorerItem group(
      String id, String label, String detail, List<ExplorerItem> children) {
    return new ExplorerItem(id, label, detail, null, null, true, children);
  }

  /** A line without children. */
  public static ExplorerItem leaf(
      String id, String label, String detail, @Nullable Tone mark, Item target) {
    return new ExplorerItem(id, label, detail, mark, target, false, List.of());
  }

  /** The same, closed at first. */
  public ExplorerItem collapsed() {
    return new ExplorerItem(id, label, detail, mark, target, false, children);
  }
}
