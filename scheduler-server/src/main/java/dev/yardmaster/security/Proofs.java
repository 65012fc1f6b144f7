package dev.yardmaster.security;

import dev.yardmaster.client.Munge;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * How callers that the kernel does not vouch for prove who they are.
 *
 * @param tls the encryption of the port, with which daemons show certificates; null for none
 * @param tokens checks JSON web tokens; null when AuthAltTypes does not take any
 * @param munge checks credentials of munge; null when AuthType does not say so, or munge does not
 *     answer here
 * @param strict whether who comes over loopback has to prove it as well
 */
public record Proofs(
    @Nullable ServerTls tls, @Nullable WebTokens tokens, @Nullable Munge munge, boolean strict) {
  private static final Logger LOG = LoggerFactory.getLogger(Proofs.class);

  /** Nobody can prove anything. */
  public static final Proofs NONE = new Proofs(null, null, null, false);

  /**
   * What a configuration says (slurm.conf(5): TLSType, AuthType, AuthAltTypes and their
   * parameters). With TLS a name is believed without proof only where AuthType=auth/none says so.
   *
   * @param settings by key
   * @param tls the encryption of the port; null for none
   * @throws IOException when a file is missing or is not what it should be
   */
  public static Proofs of(
      Function<String, Optional<String>> settings, @Nullable ServerTls tls, Path stateDirectory)
      throws IOException {
    boolean jwt =
        settings.apply("AuthAltTypes").orElse("").toLowerCase(Locale.ROOT).contains("auth/jwt");
    WebTokens tokens =
        jwt ? WebTokens.of(settings.apply("AuthAltParameters").orElse(""), stateDirectory) : null;
    boolean none = settings.apply("AuthType").orElse("").equalsIgnoreCase("auth/none");
    Munge munge =
        Munge.of(settings.apply("AuthType").orElse(""), settings.apply("AuthInfo").orElse(""));
    if (munge != null) {
      try {
        munge.encode();
      } catch (IOException e) {
        LOG.warn("AuthType=auth/munge: {}; nobody can prove by munge who calls", e.getMessage());
        munge = null;
      }
    }
    return new Proofs(tls, tokens, munge, (tls != null || munge != null) && !none);
  }
}
