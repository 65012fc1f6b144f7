package dev.yardmaster.journal;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.helpers.MessageFormatter;

/** A log is not flooded by what fails many times a second. */
class OutageTest {
  private final List<String> lines = new ArrayList<>();
  private final AtomicLong now = new AtomicLong(-5);
  private final Outage outage = new Outage(log(), now::get);

  @Test
  void aTroubleIsToldWhenItBeginsOnceAMinuteAndWhenItIsOver() {
    for (int tenth = 0; tenth < 1_300; tenth++) {
      outage.happens("the disk is full");
      now.addAndGet(TimeUnit.MILLISECONDS.toNanos(100));
    }
    outage.isOver("there is room");
    outage.isOver("there is room");
    outage.happens("the disk is full again");
    assertThat(lines)
        .containsExactly(
            "the disk is full",
            "still, 601 times in 60 s: the disk is full",
            "still, 1201 times in 120 s: the disk is full",
            "there is room, after 130 s",
            "the disk is full again");
  }

  private Logger log() {
    return (Logger)
        Proxy.newProxyInstance(
            Logger.class.getClassLoader(),
            new Class<?>[] {Logger.class},
            (proxy, method, arguments) -> {
              Object[] given =
                  Arrays.stream(arguments, 1, arguments.length)
                      .flatMap(a -> a instanceof Object[] many ? Arrays.stream(many) : of(a))
                      .toArray();
              lines.add(MessageFormatter.basicArrayFormat((String) arguments[0], given));
              return null;
            });
  }

  private static Stream<Object> of(Object one) {
    return Stream.of(one);
  }
}
