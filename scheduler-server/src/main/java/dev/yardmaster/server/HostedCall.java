package dev.yardmaster.server;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.yardmaster.api.Headers;
import dev.yardmaster.model.Identity;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A command that a caller of the local socket hands over: texts that end with a zero byte each, in
 * this order: version of the contract, directory, {@code t} for a terminal or nothing, user, its
 * number, group, its number, the number of words of the command line, these words, and the
 * variables of the environment as {@code NAME=VALUE}.
 *
 * @param name the command
 * @param terminal whether a person reads what it says
 */
record HostedCall(
    String name,
    List<String> arguments,
    Map<String, String> environment,
    String directory,
    boolean terminal,
    Identity caller) {
  private static final int HEAD = 8;

  /** Options with which a command goes on and on, asks back, or reads or writes a file. */
  private static final Pattern KEPT_OPTION =
      Pattern.compile("-[A-Za-z]*[iW].*|--i([nt].*)?|--wa.*|-f.*|--file.*|--env.*");

  private static final Pattern KEYWORDS =
      Pattern.compile(
          "show|hold|uhold|release|requeue|requeuehold|suspend|resume|top|update|create|delete"
              + "|version");

  /** The call that a frame holds; null when it is none that this version knows. */
  static @Nullable HostedCall read(byte[] content) {
    List<String> texts;
    try {
      String all = UTF_8.newDecoder().decode(ByteBuffer.wrap(content)).toString();
      texts = List.of(all.split("\0", -1));
    } catch (CharacterCodingException e) {
      // Names and values in another encoding are passed on byte by byte by a process only.
      return null;
    }
    try {
      int words = Integer.parseInt(texts.get(HEAD - 1));
      if (!texts.getFirst().equals(Headers.CONTRACT_VERSION) || words < 1) {
        return null;
      }
      TreeMap<String, String> environment = new TreeMap<>();
      for (String variable : texts.subList(HEAD + words, texts.size() - 1)) {
        int equals = variable.indexOf('=');
        if (equals > 0) {
          environment.put(variable.substring(0, equals), variable.substring(equals + 1));
        }
      }
      return new HostedCall(
          texts.get(HEAD),
          texts.subList(HEAD + 1, HEAD + words),
          environment,
          texts.get(1),
          texts.get(2).equals("t"),
          new Identity(
              texts.get(3),
              Integer.parseInt(texts.get(4)),
              texts.get(5),
              Integer.parseInt(texts.get(6))));
    } catch (IllegalArgumentException | IndexOutOfBoundsException e) {
      return null;
    }
  }

  /** Whether the controller runs it: it only asks or changes something, and then ends. */
  boolean isHosted() {
    return directory.startsWith("/")
        && switch (name) {
          case "squeue", "sinfo", "sprio", "sshare", "sdiag", "sacct", "scancel" -> !keepsOn();
          case "sbatch" -> !keepsOn() && !environment.containsKey("SBATCH_WAIT");
          case "scontrol" -> KEYWORDS.matcher(keyword()).matches();
          case "sacctmgr" ->
              keyword().matches("show|list")
                  || isAgreed() && keyword().matches("add|create|modify|delete|remove");
          default -> false;
        };
  }

  private boolean keepsOn() {
    return arguments.stream().anyMatch(word -> KEPT_OPTION.matcher(word).matches());
  }

  /** Whether it asks nobody before it changes something: {@code -i} stands before its keyword. */
  private boolean isAgreed() {
    return arguments.stream()
        .takeWhile(word -> word.startsWith("-"))
        .anyMatch(word -> word.matches("-i|--immediate"));
  }

  /** The first word that is no option. */
  private String keyword() {
    return arguments.stream().filter(word -> !word.startsWith("-")).findFirst().orElse("");
  }
}
