package dev.yardmaster.console.notice;

import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import javafx.beans.property.BooleanProperty;
import javafx.beans.property.ReadOnlyIntegerProperty;
import javafx.beans.property.ReadOnlyIntegerWrapper;
import javafx.beans.property.ReadOnlyObjectProperty;
import javafx.beans.property.ReadOnlyObjectWrapper;
import javafx.beans.property.SimpleBooleanProperty;

/**
 * The notices of the window: each event once however often it is told, at most {@value #SHOWN} at a
 * time with older ones folded into a number, and none at all while the user is not to be disturbed.
 * To be used on the JavaFX thread.
 */
public final class Notices {
  /** How many are shown at a time. */
  public static final int SHOWN = 3;

  private static final int REMEMBERED = 4_096;

  private final Set<Notice.Key> told =
      Collections.newSetFromMap(
          new LinkedHashMap<>() {
            @Override
            protected boolean removeEldestEntry(Map.Entry<Notice.Key, Boolean> eldest) {
              return size() > REMEMBERED;
            }
          });
  private final ReadOnlyObjectWrapper<List<Notice>> shown =
      new ReadOnlyObjectWrapper<>(this, "shown", List.of());
  private final ReadOnlyIntegerWrapper folded = new ReadOnlyIntegerWrapper(this, "folded", 0);
  private final BooleanProperty quiet = new SimpleBooleanProperty(this, "quiet", false);

  public Notices() {
    quiet.addListener((o, was, now) -> dismissAll());
  }

  /** Tells of an event unless it was told before. */
  public void offer(Notice notice) {
    if (!told.add(notice.key()) || quiet.get()) {
      return;
    }
    List<Notice> all = new ArrayList<>(shown.get());
    all.addFirst(notice);
    if (all.size() > SHOWN) {
      folded.set(folded.get() + all.size() - SHOWN);
      all = all.subList(0, SHOWN);
    }
    shown.set(List.copyOf(all));
  }

  /** The notices to show, the latest first. */
  public ReadOnlyObjectProperty<List<Notice>> shownProperty() {
    return shown.getReadOnlyProperty();
  }

  /** How many older ones are not shown. */
  public ReadOnlyIntegerProperty foldedProperty() {
    return folded.getReadOnlyProperty();
  }

  /** Whether the user is not to be disturbed; what happens meanwhile is not told later. */
  public BooleanProperty quietProperty() {
    return quiet;
  }

  /** Takes one away; with the last one the number of older ones goes too. */
  public void dismiss(Notice notice) {
    List<Notice> rest = shown.get().stream().filter(n -> !n.equals(notice)).toList();
    if (rest.isEmpty()) {
      folded.set(0);
    }
    shown.set(rest);
  }

  /** Takes all away. */
  public void dismissAll() {
    folded.set(0);
    shown.set(List.of());
  }
}
