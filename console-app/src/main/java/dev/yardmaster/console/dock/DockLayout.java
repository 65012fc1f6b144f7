package dev.yardmaster.console.dock;

import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import java.util.List;

/** How the centre is divided and which tabs are where, as it is kept between starts. */
@JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "type")
@JsonSubTypes({
  @JsonSubTypes.Type(value = DockLayout.Split.class, name = "split"),
  @JsonSubTypes.Type(value = DockLayout.Tabs.class, name = "tabs")
})
public sealed interface DockLayout {

  /**
   * An area divided into parts.
   *
   * @param vertical whether the parts lie below each other
   * @param dividers where the parts end, each from 0 to 1; one fewer than parts
   */
  record Split(boolean vertical, List<Double> dividers, List<DockLayout> parts)
      implements DockLayout {
    public Split {
      dividers = List.copyOf(dividers);
      parts = List.copyOf(parts);
    }
  }

  /**
   * An area with tabs.
   *
   * @param ids of the tabs from left to right
   * @param selected the id of the one in front, or empty
   */
  record Tabs(List<String> ids, String selected) implements DockLayout {
    public Tabs {
      ids = List.copyOf(ids);
    }
  }
}
