package dev.yardmaster.console.shell;

import dev.yardmaster.console.kit.Tone;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What the inspector shows of the selection, always in this order: state, request, limits,
 * relations, history.
 *
 * @param subject what is inspected, for example {@code Job 4711}
 * @param sections its sections, the first at the top
 */
public record Inspection(String subject, List<Section> sections) {
  public Inspection {
    sections = List.copyOf(sections);
  }

  /** A part of the inspector. */
  public sealed interface Section {
    /** Its heading, or empty for none. */
    String title();
  }

  /** Names and values. */
  public record Facts(String title, List<Fact> facts) implements Section {
    public Facts {
      facts = List.copyOf(facts);
    }
  }

  /** Amounts against limits. */
  public record Meters(String title, List<Gauge> gauges) implements Section {
    public Meters {
      gauges = List.copyOf(gauges);
    }
  }

  /**
   * Things that this one is connected with, which can be opened.
   *
   * @param more what is said of those that are left out; empty for none
   */
  public record Links(String title, List<Link> links, String more) implements Section {
    public Links {
      links = List.copyOf(links);
    }

    /** A list that is complete. */
    public Links(String title, List<Link> links) {
      this(title, links, "");
    }
  }

  /**
   * A value over time.
   *
   * @param spoken what the line shows, in words
   * @param values at equal distances of time
   * @param low lowest likely values, or empty
   * @param high highest likely values, or empty
   * @param notes remarks below the line
   */
  public record Trend(
      String title,
      String spoken,
      List<Double> values,
      List<Double> low,
      List<Double> high,
      List<String> notes)
      implements Section {
    public Trend {
      values = List.copyOf(values);
      low = List.copyOf(low);
      high = List.copyOf(high);
      notes = List.copyOf(notes);
    }
  }

  /** A command that does or shows the same. */
  public record Command(String title, String line) implements Section {}

  /**
   * A name and its value.
   *
   * @param mono whether the value is code or an identifier
   */
  public record Fact(String name, String value, Tone tone, boolean mono) {
    /** A value in running text. */
    public static Fact of(String name, String value) {
      return new Fact(name, value, Tone.NEUTRAL, false);
    }

    /** A value that is code or an identifier. */
    public static Fact mono(String name, String value) {
      return new Fact(name, value, Tone.NEUTRAL, true);
    }

    /** A value with a tone. */
    public static Fact of(String name, String value, Tone tone) {
      return new Fact(name, value, tone, false);
    }
  }

  /**
   * An amount against a limit.
   *
   * @param value used and allowed in words
   * @param share used divided by allowed
   */
  public record Gauge(String label, String value, double share, Tone tone) {}

  /**
   * Something connected.
   *
   * @param account the index of its account's colour, or null when it has none
   * @param target what opens
   */
  public record Link(String label, String detail, @Nullable Integer account, Item target) {}
}
