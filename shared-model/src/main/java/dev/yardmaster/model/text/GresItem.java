package dev.yardmaster.model.text;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One generic resource, of a node, a request or an allocation (gres.conf(5), sbatch(1) {@code
 * --gres}): {@code gpu}, {@code gpu:2}, {@code gpu:h100:4(S:0-1)}, {@code gpu:h100:2(IDX:0,3)},
 * {@code shard:5}, {@code bandwidth:lustre:no_consume:4G}.
 *
 * @param name the kind, as in "gpu"
 * @param type the type, as in "h100"; null when untyped
 * @param count how many, from 0; counts may be written with k, m, g, t or p, powers of 1024
 * @param noConsume whether the resource is given without limit
 * @param sockets the sockets it is bound to, {@code (S:0-1)}; null when not said
 * @param indices the devices in use, {@code (IDX:0-3)}, empty for {@code (IDX:N/A)}; null when not
 *     said
 * @param shares use of each shared device, {@code (1/4,0/4)}; empty when not said
 */
public record GresItem(
    String name,
    @Nullable String type,
    long count,
    boolean noConsume,
    @Nullable IntRanges sockets,
    @Nullable IntRanges indices,
    List<Share> shares) {
  static final String NO_CONSUME = "no_consume";

  /** How much of one shared device is in use, as in {@code 1/4}. */
  public record Share(long used, long total) {
    public Share {
      if (used < 0 || total < 0) {
        throw new NotationException("gres", used + "/" + total, 0, "negative", "use 0 or more");
      }
    }

    @Override
    public String toString() {
      return used + "/" + total;
    }
  }

  public GresItem {
    GresParser.checkWord(name);
    if (name.equalsIgnoreCase("gres") || name.equalsIgnoreCase(NO_CONSUME)) {
      throw new NotationException("gres", name, 0, "a word of the notation", "name the resource");
    }
    if (type != null) {
      GresParser.checkWord(type);
      if (Units.isCount(type) || type.equalsIgnoreCase(NO_CONSUME)) {
        throw new NotationException(
            "gres", type, 0, "reads as a count, not as a type", "use a name");
      }
    }
    if (count < 0 || count > Units.MAX) {
      throw new NotationException(
          "gres", Long.toString(count), 0, "not a count", "use 0-" + Units.MAX);
    }
    shares = List.copyOf(shares);
  }

  public static GresItem of(String name, @Nullable String type, long count) {
    return new GresItem(name, type, count, false, null, null, List.of());
  }

  /** Parses one resource, without a comma. */
  public static GresItem parse(String text) {
    GresList list = GresList.parse(text);
    if (list.items().size() != 1) {
      throw new NotationException(
          "gres", text, 0, list.items().size() + " resources", "write one, as gpu:h100:4");
    }
    return list.items().getFirst();
  }

  public GresItem withCount(long newCount) {
    return new GresItem(name, type, newCount, noConsume, sockets, indices, shares);
  }

  public GresItem withIndices(@Nullable IntRanges newIndices) {
    return new GresItem(name, type, count, noConsume, sockets, newIndices, shares);
  }

  /** Whether a request for this name and type is served by that resource. */
  public boolean covers(GresItem offered) {
    return name.equals(offered.name) && (type == null || type.equals(offered.type));
  }

  /** The name with the type, as TRES are called: {@code gres/gpu:h100}. */
  public String tresName() {
    return "gres/" + name + (type == null ? "" : ":" + type);
  }

  /** The form of {@code scontrol show node}: {@code gpu:h100:0(IDX:N/A)}. */
  @Override
  public String toString() {
    return print("N/A");
  }

  /**
   * The form of a job's detail, which leaves an empty index list blank: {@code gpu:a100:0(IDX:)}.
   */
  public String toJobDetail() {
    return print("");
  }

  private String print(String noIndices) {
    var out = new StringBuilder(name);
    if (type != null) {
      out.append(':').append(type);
    }
    if (noConsume) {
      out.append(':').append(NO_CONSUME);
    }
    out.append(':').append(count);
    if (sockets != null) {
      out.append("(S:").append(sockets).append(')');
    }
    if (indices != null) {
      out.append("(IDX:").append(indices.isEmpty() ? noIndices : indices.toString()).append(')');
    }
    if (!shares.isEmpty()) {
      out.append('(')
          .append(String.join(",", shares.stream().map(Share::toString).toList()))
          .append(')');
    }
    return out.toString();
  }
}
