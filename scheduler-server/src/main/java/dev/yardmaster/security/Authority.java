package dev.yardmaster.security;

import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.math.BigInteger;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Instant;
import java.time.Period;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Date;
import java.util.HexFormat;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.jcajce.JcaPEMKeyConverter;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.jspecify.annotations.Nullable;

/**
 * The certificate authority of a cluster that was given none: a folder with {@code ca_cert.pem},
 * {@code ca_key.pem} and what it has issued. Keys are of curve P-256 and readable by their owner
 * alone.
 */
public final class Authority {
  /** Folder of the state directory where a controller keeps its own. */
  public static final String FOLDER = "certificates";

  private static final Period LIFE = Period.ofYears(20);
  private static final Period LIFE_OF_ISSUED = Period.ofYears(5);

  /** One that ends sooner is replaced by its owner. */
  private static final Period RENEWAL = Period.ofYears(1);

  private static final Period CLOCKS_DIFFER = Period.ofDays(1);
  private static final String SIGNATURE = "SHA256withECDSA";
  private static final String CERTIFICATE = "ca_cert.pem";
  private static final String KEY = "ca_key.pem";
  private static final int SERIAL_BITS = 127;

  /** Type of a subjectAltName, as RFC 5280 numbers them. */
  private static final int DNS_NAME = 2;

  private static final int IP_ADDRESS = 7;

  private final Path folder;
  private final X509Certificate certificate;
  private final PrivateKey key;

  private Authority(Path folder, X509Certificate certificate, PrivateKey key) {
    this.folder = folder;
    this.certificate = certificate;
    this.key = key;
  }

  /**
   * The authority of a folder, which is made when there is none.
   *
   * @param cluster its ClusterName
   * @throws IOException when it can be neither read nor made; the file is named
   */
  public static Authority in(Path folder, String cluster, Instant now) throws IOException {
    Path certificate = folder.resolve(CERTIFICATE);
    Path key = folder.resolve(KEY);
    if (Files.exists(certificate) && Files.exists(key)) {
      return new Authority(folder, read(certificate), readKey(key));
    }
    if (Files.exists(certificate)) {
      throw new IOException(
          certificate + " is there, and its key " + key + " is not; bring it back, or remove both");
    }
    Files.createDirectories(
        folder, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
    KeyPair pair = pair();
    X500Name name = name("Yardmaster authority of " + cluster);
    X509Certificate made =
        certificate(
            name, pair.getPrivate(), null, name, pair.getPublic(), List.of(), now, now(now, LIFE));
    write(key, pem(new PemObject("PRIVATE KEY", pair.getPrivate().getEncoded())), true);
    write(certificate, pem(made), false);
    return new Authority(folder, made, pair.getPrivate());
  }

  /** The certificate that everybody is to trust. */
  public Path certificate() {
    return folder.resolve(CERTIFICATE);
  }

  /**
   * Issues a certificate with a key of its own, and puts that of the authority beside it.
   *
   * @param to an existing folder
   * @param stem {@code ctld} or {@code slurmd}: the files are called {@code STEM_cert.pem} and
   *     {@code STEM_cert_key.pem}, as TLSParameters expects them
   * @param holder common name
   * @param names host names and addresses that whoever connects to the holder may use
   */
  public void issue(Path to, String stem, String holder, Collection<String> names, Instant now)
      throws IOException {
    KeyPair pair = pair();
    X509Certificate made =
        certificate(
            X500Name.getInstance(certificate.getSubjectX500Principal().getEncoded()),
            key,
            certificate,
            name(holder),
            pair.getPublic(),
            names,
            now,
            now(now, LIFE_OF_ISSUED));
    // Never a certificate beside the key of another.
    Files.deleteIfExists(to.resolve(stem + "_cert.pem"));
    write(
        to.resolve(stem + "_cert_key.pem"),
        pem(new PemObject("PRIVATE KEY", pair.getPrivate().getEncoded())),
        true);
    write(to.resolve(stem + "_cert.pem"), pem(made), false);
    Path beside = to.resolve(CERTIFICATE);
    if (!beside.toAbsolutePath().normalize().equals(certificate().toAbsolutePath().normalize())) {
      write(beside, pem(certificate), false);
    }
  }

  /**
   * The certificate of the controller itself in the authority's folder: as it is, or issued anew
   * when there is none, when it will end within a year, or when it lacks one of the names.
   */
  public ServerTls own(Collection<String> names, Instant now) throws IOException {
    Path file = folder.resolve("ctld_cert.pem");
    Path ownKey = folder.resolve("ctld_cert_key.pem");
    boolean good = false;
    if (Files.exists(file) && Files.exists(ownKey)) {
      X509Certificate present = read(file);
      good =
          present.getNotAfter().toInstant().isAfter(now(now, RENEWAL))
              && names(present).containsAll(names)
              && isIssued(present);
    }
    if (!good) {
      issue(folder, "ctld", "slurmctld", names, now);
    }
    return new ServerTls(certificate(), file, ownKey);
  }

  private boolean isIssued(X509Certificate present) {
    try {
      present.verify(certificate.getPublicKey());
      return true;
    } catch (GeneralSecurityException e) {
      return false;
    }
  }

  /**
   * Reads a certificate.
   *
   * @throws IOException naming the file when it holds none
   */
  public static X509Certificate read(Path file) throws IOException {
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.US_ASCII);
        PEMParser parser = new PEMParser(reader)) {
      if (parser.readObject() instanceof X509CertificateHolder holder) {
        return new JcaX509CertificateConverter().getCertificate(holder);
      }
      throw new IOException(file + " is no certificate in PEM form");
    } catch (GeneralSecurityException e) {
      throw new IOException(file + " is no certificate: " + e.getMessage(), e);
    }
  }

  private static PrivateKey readKey(Path file) throws IOException {
    try (Reader reader = Files.newBufferedReader(file, StandardCharsets.US_ASCII);
        PEMParser parser = new PEMParser(reader)) {
      if (parser.readObject() instanceof PrivateKeyInfo info) {
        return new JcaPEMKeyConverter().getPrivateKey(info);
      }
      throw new IOException(file + " is no private key in PEM form (PKCS 8)");
    }
  }

  /** SHA-256 over a certificate, as openssl prints it. */
  public static String fingerprint(X509Certificate of) throws IOException {
    try {
      byte[] hash = MessageDigest.getInstance("SHA-256").digest(of.getEncoded());
      return HexFormat.ofDelimiter(":").withUpperCase().formatHex(hash);
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  /** The host names and addresses of a certificate, in order. */
  public static Set<String> names(X509Certificate of) throws IOException {
    try {
      Collection<List<?>> all = of.getSubjectAlternativeNames();
      Set<String> names = new TreeSet<>();
      for (List<?> entry : all == null ? List.<List<?>>of() : all) {
        if (entry.get(0) instanceof Integer type
            && (type == DNS_NAME || type == IP_ADDRESS)
            && entry.get(1) instanceof String name) {
          names.add(name);
        }
      }
      return Collections.unmodifiableSet(names);
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static KeyPair pair() throws IOException {
    try {
      KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
      generator.initialize(new ECGenParameterSpec("secp256r1"));
      return generator.generateKeyPair();
    } catch (GeneralSecurityException e) {
      throw new IOException(e);
    }
  }

  private static X500Name name(String common) {
    return new X500NameBuilder(BCStyle.INSTANCE).addRDN(BCStyle.CN, common).build();
  }

  private static Instant now(Instant now, Period later) {
    return now.atOffset(ZoneOffset.UTC).plus(later).toInstant();
  }

  private static X509Certificate certificate(
      X500Name issuer,
      PrivateKey signer,
      @Nullable X509Certificate authority,
      X500Name holder,
      PublicKey holderKey,
      Collection<String> names,
      Instant now,
      Instant end)
      throws IOException {
    try {
      JcaX509v3CertificateBuilder builder =
          new JcaX509v3CertificateBuilder(
              issuer,
              new BigInteger(SERIAL_BITS, new SecureRandom()),
              Date.from(now.minus(CLOCKS_DIFFER)),
              Date.from(end),
              holder,
              holderKey);
      boolean ends = authority != null;
      builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(!ends));
      builder.addExtension(
          Extension.keyUsage,
          true,
          new KeyUsage(ends ? KeyUsage.digitalSignature : KeyUsage.keyCertSign | KeyUsage.cRLSign));
      if (!names.isEmpty()) {
        List<GeneralName> all = new ArrayList<>();
        for (String name : names) {
          all.add(new GeneralName(isAddress(name) ? IP_ADDRESS : DNS_NAME, name));
        }
        builder.addExtension(
            Extension.subjectAlternativeName,
            false,
            new GeneralNames(all.toArray(GeneralName[]::new)));
      }
      X509CertificateHolder made =
          builder.build(new JcaContentSignerBuilder(SIGNATURE).build(signer));
      return new JcaX509CertificateConverter().getCertificate(made);
    } catch (GeneralSecurityException | OperatorCreationException | IllegalArgumentException e) {
      throw new IOException("no certificate can be made of these names: " + names, e);
    }
  }

  private static boolean isAddress(String name) {
    try {
      InetAddress.ofLiteral(name);
      return true;
    } catch (IllegalArgumentException e) {
      return false;
    }
  }

  private static String pem(Object what) throws IOException {
    StringWriter text = new StringWriter();
    try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
      writer.writeObject(what);
    }
    return text.toString();
  }

  /** Whole or not at all, and never readable by others for a moment when it is secret. */
  private static void write(Path file, String text, boolean secret) throws IOException {
    Path part = file.resolveSibling(file.getFileName() + ".new");
    Files.deleteIfExists(part);
    Files.createFile(
        part,
        PosixFilePermissions.asFileAttribute(
            PosixFilePermissions.fromString(secret ? "rw-------" : "rw-r--r--")));
    Files.writeString(part, text, StandardCharsets.US_ASCII, StandardOpenOption.WRITE);
    Files.move(part, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
