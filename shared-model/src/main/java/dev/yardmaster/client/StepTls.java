package dev.yardmaster.client;

import io.grpc.netty.shaded.io.netty.handler.ssl.JdkSslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContext;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslContextBuilder;
import io.grpc.netty.shaded.io.netty.handler.ssl.SslProvider;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/**
 * Encryption between srun and the nodes of a step. The node connects, but it is the node that has a
 * certificate: so it plays the server of TLS and srun the client, which accepts any certificate of
 * the cluster's authority. That it is the right srun and the right node, each shows by its half of
 * the secret that both got from the controller.
 */
public final class StepTls {
  /** What the secret of a step begins with whose streams are encrypted. */
  static final String MARK = "tls:";

  private static final int HANDSHAKE_MILLIS = 10_000;
  private static final String[] VERSIONS = {"TLSv1.3"};

  private static volatile @Nullable Tls own;

  private StepTls() {}

  /** Says once what the node daemons of this process show; null for nothing. */
  public static void show(@Nullable Tls certificate) {
    own = certificate;
  }

  /** The node's end. */
  static Socket ofNode(Socket socket) throws IOException {
    Tls tls = own;
    Path certificate = tls == null ? null : tls.certificate();
    Path key = tls == null ? null : tls.key();
    if (certificate == null || key == null) {
      throw new IOException(
          "srun wants its streams encrypted, and this node has no slurmd_cert.pem with its key"
              + " beside slurm.conf");
    }
    return shaken(socket, context(certificate.toFile(), key.toFile()), false);
  }

  /**
   * Whether a node may carry streams without encryption.
   *
   * @throws IOException when the cluster is encrypted and srun runs on another machine
   */
  static void requirePlain(String host) throws IOException {
    if (own != null && !Tls.isLoopback(host)) {
      throw new IOException(
          "srun on " + host + " has no ca_cert.pem beside its slurm.conf; streams are encrypted");
    }
  }

  private static SSLContext context(File certificate, File key) throws IOException {
    SslContext made =
        SslContextBuilder.forServer(certificate, key).sslProvider(SslProvider.JDK).build();
    if (made instanceof JdkSslContext jdk) {
      return jdk.context();
    }
    throw new IOException("no TLS of the JDK");
  }

  /** The end of srun. */
  static Socket ofSrun(Socket socket, Path authority) throws IOException {
    try (InputStream in = Files.newInputStream(authority)) {
      KeyStore trusted = KeyStore.getInstance(KeyStore.getDefaultType());
      trusted.load(null, null);
      int number = 0;
      for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
        trusted.setCertificateEntry("authority" + number++, each);
      }
      TrustManagerFactory trust =
          TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
      trust.init(trusted);
      SSLContext context = SSLContext.getInstance("TLS");
      context.init(null, trust.getTrustManagers(), null);
      return shaken(socket, context, true);
    } catch (GeneralSecurityException e) {
      throw new IOException(authority + ": " + e.getMessage(), e);
    }
  }

  private static Socket shaken(Socket socket, SSLContext context, boolean isClient)
      throws IOException {
    Socket layered =
        context
            .getSocketFactory()
            .createSocket(socket, socket.getInetAddress().getHostAddress(), socket.getPort(), true);
    if (!(layered instanceof SSLSocket encrypted)) {
      throw new IOException("no TLS of the JDK");
    }
    encrypted.setUseClientMode(isClient);
    encrypted.setEnabledProtocols(VERSIONS);
    int before = socket.getSoTimeout();
    encrypted.setSoTimeout(HANDSHAKE_MILLIS);
    encrypted.startHandshake();
    encrypted.setSoTimeout(before);
    return encrypted;
  }
}
