package dev.yardmaster.console.why;

import dev.yardmaster.console.kit.Tone;
import dev.yardmaster.console.shell.Item;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The explanation of a job as it is shown: every text in the user's language, ready to be put on
 * screen. Two equal pages look the same.
 *
 * @param answer the first line
 * @param lead the second line; empty for none
 * @param slurmReason Slurm's own word, shown beside ours
 * @param slurmHover its longer sentence, or the word itself
 * @param ticket the whole as text
 */
public record WhyPage(
    String answer,
    String lead,
    Badge verdict,
    String slurmReason,
    String slurmHover,
    Funnel funnel,
    List<GateLine> gates,
    List<Amount> limits,
    List<Obstacle> obstacles,
    Priority priority,
    List<Fact> forecast,
    List<Change> changes,
    String ticket) {
  public WhyPage {
    gates = List.copyOf(gates);
    limits = List.copyOf(limits);
    obstacles = List.copyOf(obstacles);
    forecast = List.copyOf(forecast);
    changes = List.copyOf(changes);
  }

  /** A short text with a tone. */
  public record Badge(String text, Tone tone) {}

  /**
   * Where the nodes of the partition go, step by step.
   *
   * @param steps empty when the nodes were not looked at
   */
  public record Funnel(String title, String remark, List<Step> steps) {
    public Funnel {
      steps = List.copyOf(steps);
    }
  }

  /**
   * One step of the funnel.
   *
   * @param share the nodes that are left, of all
   * @param falls the nodes that fell at this step, by cause
   */
  public record Step(
      String label, String count, double share, Tone tone, String note, List<Fallen> falls) {
    public Step {
      falls = List.copyOf(falls);
    }
  }

  /**
   * Nodes that fell for one cause.
   *
   * @param nodes in bracket form
   * @param single their names while there are few of them, else empty
   */
  public record Fallen(String cause, String nodes, List<String> single) {
    public Fallen {
      single = List.copyOf(single);
    }
  }

  /** How a gate ended. */
  public enum Mark {
    PASSED,
    BLOCKS,
    NOT_REACHED,
    NOT_APPLICABLE
  }

  /** One gate: its rule, how it ended in a word, and the evidence. */
  public record GateLine(Mark mark, String rule, String outcome, String evidence) {}

  /**
   * A limit: what is limited, used of allowed, and how full it would be with this job.
   *
   * @param note what others hold, what this job asks for, and what is missing; may be empty
   */
  public record Amount(String label, String value, double share, Tone tone, String note) {}

  /**
   * Something in the way.
   *
   * @param target what is selected with it; null for a thing that cannot be selected
   * @param account the account whose colour it has; empty for none
   */
  public record Obstacle(
      String label, String detail, String until, String account, @Nullable Item target) {}

  /** The priority with its parts; no parts when it is not made of any. */
  public record Priority(String title, String place, List<Part> parts) {
    public Priority {
      parts = List.copyOf(parts);
    }
  }

  /**
   * A part of the priority: its name and its points.
   *
   * @param colour index of the factor's colour, the same for each job and moment
   */
  public record Part(String name, String value, double points, int colour) {}

  /** A name and its value; the full text on hover. */
  public record Fact(String name, String value, String hover) {}

  /**
   * A change that would let the job start.
   *
   * @param gain how much less it would wait
   * @param cost what it costs others
   */
  public record Change(
      String change, String then, String gain, String who, String cost, String command) {}
}
