package dev.yardmaster.server;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.explain.Explanation;
import dev.yardmaster.explain.Remedy;
import dev.yardmaster.explain.Words;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import java.io.PrintStream;
import java.util.Collection;
import java.util.List;

/** Prints what holds each pending job back, as any client would see it. */
final class Answers {
  private final SchedulerClient client;
  private final Words words;
  private final UpTexts texts;
  private final PrintStream out;

  Answers(SchedulerClient client, Words words, UpTexts texts, PrintStream out) {
    this.client = client;
    this.words = words;
    this.texts = texts;
    this.out = out;
  }

  void print(Collection<Job> jobs) throws ClientException {
    List<Job> pending = jobs.stream().filter(job -> job.state() == JobState.PENDING).toList();
    out.println(texts.get("up.waiting", pending.size()));
    for (Job job : pending) {
      print(client.explain(job.displayId()));
    }
    out.println();
    out.flush();
  }

  private void print(Explanation e) {
    out.println();
    out.println(words.answer(e) + "  [" + e.slurmReason().text() + "]");
    String detail = words.detail(e);
    if (!detail.isEmpty()) {
      out.println("  " + detail);
    }
    if (!e.remedies().isEmpty()) {
      Remedy first = e.remedies().getFirst();
      out.println(
          "  "
              + texts.get(
                  "up.sooner",
                  words.remedy(first),
                  words.effect(first, e.at()),
                  words.who(first),
                  first.command()));
    }
  }
}
