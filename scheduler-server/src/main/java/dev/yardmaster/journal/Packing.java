package dev.yardmaster.journal;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.Deflater;
import java.util.zip.InflaterInputStream;

/**
 * Packs texts that are kept and seldom read. Keeps the memory that packing takes, which costs more
 * to get than a short text costs to pack. One thread at a time.
 */
final class Packing implements AutoCloseable {
  private final Deflater deflater = new Deflater(Deflater.BEST_SPEED);
  private final byte[] part = new byte[8192];

  byte[] deflate(byte[] text) {
    deflater.reset();
    deflater.setInput(text);
    deflater.finish();
    int length = deflater.deflate(part);
    ByteArrayOutputStream packed = new ByteArrayOutputStream(length);
    packed.write(part, 0, length);
    while (!deflater.finished()) {
      packed.write(part, 0, deflater.deflate(part));
    }
    return packed.toByteArray();
  }

  static byte[] inflate(byte[] body) {
    try (InputStream in = new InflaterInputStream(new ByteArrayInputStream(body))) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new JournalException("a script cannot be unpacked: " + e.getMessage(), e);
    }
  }

  @Override
  public void close() {
    deflater.end();
  }
}
