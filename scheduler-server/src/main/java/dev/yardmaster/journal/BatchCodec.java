package dev.yardmaster.journal;

import dev.yardmaster.engine.state.Event;
import dev.yardmaster.model.JobScript;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;

/** Batches as the bytes that one controller sends to the others, and back. */
public final class BatchCodec {
  private static final Codec CODEC = new Codec();

  /**
   * What is to be appended.
   *
   * @param id tells this attempt from any other
   * @param base number of the event that it goes behind
   * @param fingerprint of that event
   * @param batches empty for the entry by which controllers find that they begin alike
   */
  public record Entry(UUID id, long base, long fingerprint, List<Journal.Batch> batches) {
    public Entry {
      batches = List.copyOf(batches);
    }
  }

  private BatchCodec() {}

  public static byte[] write(Entry entry) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (DataOutputStream out = new DataOutputStream(bytes);
        Packing packing = new Packing()) {
      out.writeInt(Codec.VERSION);
      out.writeLong(entry.id().getMostSignificantBits());
      out.writeLong(entry.id().getLeastSignificantBits());
      out.writeLong(entry.base());
      out.writeLong(entry.fingerprint());
      out.writeInt(entry.batches().size());
      for (Journal.Batch batch : entry.batches()) {
        out.writeInt(batch.events().size());
        for (Event event : batch.events()) {
          out.writeUTF(Codec.typeName(event));
          block(out, CODEC.write(event));
        }
        out.writeInt(batch.scripts().size());
        for (Map.Entry<Integer, JobScript> script : batch.scripts().entrySet()) {
          out.writeInt(script.getKey());
          block(out, packing.deflate(CODEC.write(script.getValue())));
        }
      }
    } catch (IOException e) {
      throw new JournalException("events cannot be sent: " + e.getMessage(), e);
    }
    return bytes.toByteArray();
  }

  private static void block(DataOutputStream out, byte[] bytes) throws IOException {
    out.writeInt(bytes.length);
    out.write(bytes);
  }

  /** Which attempt it is, without reading the rest. */
  public static UUID id(byte[] bytes) {
    ByteBuffer head = ByteBuffer.wrap(bytes, Integer.BYTES, 2 * Long.BYTES);
    return new UUID(head.getLong(), head.getLong());
  }

  /**
   * Reads what {@link #write} made.
   *
   * @param place where it is kept, for what is said of it
   * @throws DamagedRecordException when it is something else
   */
  public static Entry read(String place, byte[] bytes) {
    try (DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes))) {
      int version = in.readInt();
      UUID id = new UUID(in.readLong(), in.readLong());
      long base = in.readLong();
      long fingerprint = in.readLong();
      List<Journal.Batch> batches = new ArrayList<>();
      long sequence = base;
      for (int left = in.readInt(); left > 0; left--) {
        List<Event> events = new ArrayList<>();
        for (int i = in.readInt(); i > 0; i--) {
          String type = in.readUTF();
          events.add(CODEC.readEvent(place, "event " + ++sequence, version, type, block(in)));
        }
        TreeMap<Integer, JobScript> scripts = new TreeMap<>();
        for (int i = in.readInt(); i > 0; i--) {
          int job = in.readInt();
          byte[] body = Packing.inflate(block(in));
          scripts.put(
              job, CODEC.read(place, "script of job " + job, version, JobScript.class, body));
        }
        batches.add(new Journal.Batch(events, scripts));
      }
      return new Entry(id, base, fingerprint, batches);
    } catch (IOException e) {
      throw new DamagedRecordException(place, "entry", String.valueOf(e.getMessage()));
    }
  }

  private static byte[] block(DataInputStream in) throws IOException {
    int length = in.readInt();
    byte[] bytes = in.readNBytes(length);
    if (bytes.length != length) {
      throw new IOException("it ends early");
    }
    return bytes;
  }
}
