package dev.yardmaster.journal;

import dev.yardmaster.engine.state.ClusterState;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.util.Map;
import java.util.zip.Deflater;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.InflaterInputStream;
import org.jspecify.annotations.Nullable;

/** A whole state as bytes and back: the rows of a snapshot, one after another, packed. */
public final class StateImage {
  private static final Codec CODEC = new Codec();

  private StateImage() {}

  /** The state after the event with a number. */
  public static byte[] write(ClusterState state, long sequence) {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    Deflater fast = new Deflater(Deflater.BEST_SPEED);
    try (DataOutputStream out = new DataOutputStream(new DeflaterOutputStream(bytes, fast))) {
      for (Map.Entry<Snapshot.Key, @Nullable Object> row :
          Snapshot.changes(null, state, sequence).entrySet()) {
        Object value = row.getValue();
        if (value != null) {
          byte[] body = CODEC.write(value);
          out.writeUTF(row.getKey().kind());
          out.writeUTF(row.getKey().key());
          out.writeInt(body.length);
          out.write(body);
        }
      }
      out.writeUTF("");
    } catch (IOException e) {
      throw new JournalException("a state cannot be packed: " + e.getMessage(), e);
    } finally {
      fast.end();
    }
    return bytes.toByteArray();
  }

  /**
   * @param place where the bytes are kept, for what is said of them
   * @throws DamagedRecordException when they are not what was written
   */
  public static Journal.Recovered read(String place, byte[] bytes) {
    Snapshot.Builder builder = new Snapshot.Builder(place, CODEC);
    try (DataInputStream in =
        new DataInputStream(new InflaterInputStream(new ByteArrayInputStream(bytes)))) {
      String kind = in.readUTF();
      while (!kind.isEmpty()) {
        Snapshot.Key key = new Snapshot.Key(kind, in.readUTF());
        byte[] body = in.readNBytes(in.readInt());
        builder.add(key, Codec.VERSION, body);
        kind = in.readUTF();
      }
    } catch (IOException e) {
      throw new DamagedRecordException(place, "image of a state", String.valueOf(e.getMessage()));
    }
    Journal.Recovered state = builder.build();
    if (state == null) {
      throw new DamagedRecordException(place, "image of a state", "it is empty");
    }
    return state;
  }
}
