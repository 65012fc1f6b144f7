package dev.yardmaster.journal;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.Deflater;
import java.util.zip.DeflaterInputStream;
import java.util.zip.InflaterInputStream;

/** Packs texts that are kept and seldom read. */
final class Packing {
  private Packing() {}

  static byte[] deflate(byte[] text) {
    Deflater fast = new Deflater(Deflater.BEST_SPEED);
    try {
      return drain(new DeflaterInputStream(new ByteArrayInputStream(text), fast));
    } finally {
      fast.end();
    }
  }

  static byte[] inflate(byte[] body) {
    return drain(new InflaterInputStream(new ByteArrayInputStream(body)));
  }

  private static byte[] drain(InputStream in) {
    try (in) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new JournalException("a script cannot be packed: " + e.getMessage(), e);
    }
  }
}
