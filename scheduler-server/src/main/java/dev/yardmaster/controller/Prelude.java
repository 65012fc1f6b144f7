package dev.yardmaster.controller;

import java.time.Instant;

/** What a controller lives through in virtual time before it goes live. */
public interface Prelude {
  /** Nothing. */
  Prelude NONE =
      new Prelude() {
        @Override
        public Instant begins(Instant now) {
          return now;
        }

        @Override
        public void play(VirtualRun run, Instant now) {
          // Time stays where it is.
        }
      };

  /** When a cluster without a past begins. */
  Instant begins(Instant now);

  /** Lets time pass up to now. */
  void play(VirtualRun run, Instant now);
}
