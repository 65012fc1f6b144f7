package dev.yardmaster.engine.gate;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/** How much of something is taken at a time: licences, or tasks of an array. */
final class Timetable {
  private record Stay(long from, long until, int amount) {}

  private final TreeMap<String, List<Stay>> stays = new TreeMap<>();

  void add(String what, long from, long until, int amount) {
    stays.computeIfAbsent(what, k -> new ArrayList<>()).add(new Stay(from, until, amount));
  }

  int at(String what, long time) {
    int taken = 0;
    for (Stay stay : stays.getOrDefault(what, List.of())) {
      taken += stay.from <= time && time < stay.until ? stay.amount : 0;
    }
    return taken;
  }

  /** When some of it is given back for the first time after a time. */
  long nextEnd(String what, long after) {
    long next = Long.MAX_VALUE;
    for (Stay stay : stays.getOrDefault(what, List.of())) {
      next = stay.until > after ? Math.min(next, stay.until) : next;
    }
    return next;
  }
}
