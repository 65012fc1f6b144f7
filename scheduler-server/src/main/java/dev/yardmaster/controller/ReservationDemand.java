package dev.yardmaster.controller;

import dev.yardmaster.model.Reservation;
import dev.yardmaster.model.SlurmError;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * How much a reservation asks for.
 *
 * @param nodes number of nodes; null when it is not given
 * @param cores number of cores over all nodes; 0 when they are not given
 * @param gres by TRES name, those with a type and the sums over types
 * @param licenses by name
 */
record ReservationDemand(
    @Nullable Integer nodes,
    int cores,
    TreeMap<String, Long> gres,
    TreeMap<String, Integer> licenses) {

  /** Reads NodeCnt, CoreCnt, TRES and Licenses, each thing in one of them only. */
  static ReservationDemand read(Turn turn, ReservationFields fields, Reservation r) {
    return new Reader(turn, fields, r).read();
  }

  boolean ofParts() {
    return cores > 0 || !gres.isEmpty();
  }

  int nodesOr(int otherwise) {
    return nodes == null ? otherwise : nodes;
  }

  private static final class Reader {
    private final Turn turn;
    private final ReservationFields fields;
    private final Reservation reservation;
    private final TreeMap<String, Long> gres = new TreeMap<>();
    private final TreeMap<String, Integer> licenses = new TreeMap<>();
    private @Nullable Integer nodes;
    private int cores;

    Reader(Turn turn, ReservationFields fields, Reservation reservation) {
      this.turn = turn;
      this.fields = fields;
      this.reservation = reservation;
    }

    ReservationDemand read() {
      if (fields.fills("nodecnt")) {
        nodes = number("NodeCnt", fields.text("nodecnt", ""), SlurmError.INVALID_NODE_COUNT);
      }
      if (fields.fills("corecnt")) {
        cores = number("CoreCnt", fields.text("corecnt", ""), SlurmError.INVALID_CPU_COUNT);
      }
      if (fields.fills("licenses")) {
        for (String item : fields.text("licenses", "").split(",", -1)) {
          String[] parts = item.split("[:=]", 2);
          license(parts[0], parts.length > 1 ? parts[1] : "1");
        }
      }
      if (fields.fills("tres")) {
        for (String item : fields.text("tres", "").split(",", -1)) {
          tres(item);
        }
      }
      return new ReservationDemand(nodes, cores, gres, licenses);
    }

    private void tres(String item) {
      int equals = item.indexOf('=');
      String name = equals < 0 ? item : item.substring(0, equals);
      String value = equals < 0 ? "" : item.substring(equals + 1);
      if (name.equalsIgnoreCase("cpu")) {
        once(fields.has("corecnt"), SlurmError.INVALID_CPU_COUNT, "cpu=<num> and CoreCnt=<num>");
        cores = number("TRES cpu", value, SlurmError.INVALID_CPU_COUNT);
      } else if (name.equalsIgnoreCase("node")) {
        once(fields.has("nodecnt"), SlurmError.INVALID_NODE_COUNT, "node=<num> and Nodes=<num>");
        nodes = number("TRES node", value, SlurmError.INVALID_NODE_COUNT);
      } else if (name.startsWith("gres/")) {
        gres(name, number("TRES " + name, value, SlurmError.INVALID_TRES));
      } else if (name.startsWith("license/")) {
        once(
            fields.has("licenses"),
            SlurmError.INVALID_LICENSES,
            "license/<name>=<num> and Licenses=<name>:<num>");
        license(name.substring("license/".length()), value);
      } else {
        throw new Refusal(
            SlurmError.INVALID_TRES,
            "\nTRES=" + item + "; cpu=, node=, gres/NAME= and license/NAME= can be reserved");
      }
    }

    private static void once(boolean twice, SlurmError error, String both) {
      if (twice) {
        throw ReservationFields.error(error, "TRES=" + both + " are mutually exclusive");
      }
    }

    private void gres(String name, long count) {
      gres.put(name, count);
      int colon = name.indexOf(':');
      if (colon > 0) {
        gres.merge(name.substring(0, colon), count, Long::sum);
      }
    }

    private void license(String name, String count) {
      Integer total = turn.state().config().licenses().get(name);
      int wanted = number("Licenses " + name, count, SlurmError.INVALID_LICENSES);
      if (total == null || wanted + reservedMeanwhile(name) > total) {
        throw new Refusal(
            SlurmError.INVALID_LICENSES,
            "\nLicenses=%s:%s, there are %d, and other reservations have %d of them"
                .formatted(name, count, total == null ? 0 : total, reservedMeanwhile(name)));
      }
      licenses.put(name, wanted);
    }

    private int reservedMeanwhile(String license) {
      int reserved = 0;
      for (Reservation other : turn.state().reservations().values()) {
        Reservation at = other.at(turn.now());
        if (!other.name().equals(reservation.name())
            && at.end().isAfter(reservation.start())
            && at.start().isBefore(reservation.end())) {
          reserved += other.licenses().getOrDefault(license, 0);
        }
      }
      return reserved;
    }

    private static int number(String field, String text, SlurmError error) {
      boolean thousands = text.matches("[1-9][0-9]{0,5}[kK]");
      String digits = thousands ? text.substring(0, text.length() - 1) : text;
      if (!digits.matches("[1-9][0-9]{0,8}")) {
        throw new Refusal(error, "\n" + field + "=" + text + "; write a number");
      }
      return Integer.parseInt(digits) * (thousands ? 1024 : 1);
    }
  }
}
