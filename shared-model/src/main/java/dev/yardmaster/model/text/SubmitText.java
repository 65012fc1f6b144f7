package dev.yardmaster.model.text;

import java.util.Optional;

/**
 * What sbatch says when it has accepted a job: {@code Submitted batch job 123}, with {@code on
 * cluster NAME} when a cluster was chosen, or with {@code --parsable} the id alone or {@code
 * 123;NAME}.
 *
 * @param job the id of the new job or array
 * @param cluster the cluster; empty when not said
 */
public record SubmitText(JobId job, String cluster) {
  private static final String NOTATION = "sbatch reply";
  private static final String SAID = "Submitted batch job ";
  private static final String ON = " on cluster ";

  /**
   * Finds the line among others, such as notices of a site; the last one counts.
   *
   * @throws NotationException when no line says it
   */
  public static SubmitText parse(String output) {
    Optional<SubmitText> found = Optional.empty();
    for (String line : output.lines().toList()) {
      int said = line.indexOf(SAID);
      if (said >= 0) {
        found = line(line.substring(said + SAID.length()), ON).or(() -> line(line, ";"));
      } else if (found.isEmpty() && !line.isEmpty() && Scan.isDigit(line.charAt(0))) {
        found = line(line, ";");
      }
    }
    return found.orElseThrow(
        () ->
            new NotationException(
                NOTATION, output, 0, "no job id", "expected \"" + SAID + "123\""));
  }

  /** The line that sbatch prints. */
  @Override
  public String toString() {
    return SAID + job + (cluster.isEmpty() ? "" : ON + cluster);
  }

  /** The line that {@code sbatch --parsable} prints. */
  public String parsable() {
    return job + (cluster.isEmpty() ? "" : ";" + cluster);
  }

  private static Optional<SubmitText> line(String text, String joint) {
    int at = text.indexOf(joint);
    String id = (at < 0 ? text : text.substring(0, at)).strip();
    String cluster = at < 0 ? "" : text.substring(at + joint.length()).strip();
    try {
      return Optional.of(new SubmitText(JobId.parse(id), cluster));
    } catch (NotationException e) {
      return Optional.empty();
    }
  }
}
