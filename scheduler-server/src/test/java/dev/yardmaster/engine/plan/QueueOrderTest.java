package dev.yardmaster.engine.plan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.engine.JobSpec;
import dev.yardmaster.engine.Lab;
import dev.yardmaster.engine.gate.Board;
import dev.yardmaster.engine.priority.Priorities;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.PriorityFactors;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;

class QueueOrderTest {
  private static final List<String> PARTITIONS = List.of("main", "high", "low");
  private static final long[] PRIORITIES = {0, 1, 7, 7, 4_294_967_295L};

  private final Board board = board();

  private static Board board() {
    Lab lab =
        Lab.with()
            .nodes("n[1-6]")
            .partition("main", "n[1-6]", p -> p)
            .partition("high", "n[1-6]", p -> p.withPriorityTier(65533))
            .partition("low", "n[1-6]", p -> p.withPriorityTier(0))
            .build();
    PARTITIONS.forEach(name -> lab.submit(JobSpec.job("waits").p(name)));
    return new Board(lab.state(), lab.now());
  }

  @Property(tries = 300)
  void isTheOrderInWhichJobsAreLookedAt(
      @ForAll @IntRange(max = 400) int count, @ForAll long seed, @ForAll boolean beyond) {
    Random random = new Random(seed);
    List<Entry> queue = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      long priority = PRIORITIES[random.nextInt(PRIORITIES.length)];
      queue.add(entry(random, i + 1, beyond && i == count / 2 ? 1L << 40 : priority));
    }
    List<Entry> expected = new ArrayList<>(queue);
    expected.sort(Entry.ORDER);
    QueueOrder.sort(queue);
    assertThat(queue).containsExactlyElementsOf(expected);
  }

  /** Ids rise; the clock may have been set back between two submissions. */
  private Entry entry(Random random, int id, long priority) {
    Job like = board.pending().get(random.nextInt(PARTITIONS.size()));
    Job job =
        like.withId(id)
            .withSubmitted(like.submitted().plusSeconds(random.nextInt(3)))
            .withReservation(random.nextInt(4) == 0 ? "maint" : null);
    Priorities.Result result = new Priorities.Result(priority, PriorityFactors.ZERO);
    Ticket ticket = new Ticket(job, result, null, null);
    return new Entry(ticket, board.shape(job, board.partitionsOf(like).getFirst()), result);
  }
}
