package dev.yardmaster.server;

import dev.yardmaster.controller.Command;
import dev.yardmaster.controller.Controller;
import dev.yardmaster.controller.NodeMeasures;
import dev.yardmaster.controller.Reply;
import dev.yardmaster.controller.Statistics;
import dev.yardmaster.controller.StepBook;
import dev.yardmaster.engine.state.ClusterState;
import dev.yardmaster.engine.state.Event;
import dev.yardmaster.engine.state.Moment;
import dev.yardmaster.model.NodeMeasure;
import dev.yardmaster.model.PassFigures;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import java.util.function.Supplier;

/** A controller that has the state and gives the replies that a test says, and keeps what came. */
public class ScriptedController implements Controller {
  private final List<Follower> followers = new CopyOnWriteArrayList<>();
  private final BlockingQueue<Command> commands = new LinkedBlockingQueue<>();
  private volatile Function<Command, Reply> replies = command -> new Reply.Done(List.of());
  private final NodeMeasures measures = new NodeMeasures();
  private volatile Supplier<String> trouble = () -> "";
  private volatile ClusterState state;
  private final Statistics statistics;
  private long sequence = 1;

  public ScriptedController(ClusterState state) {
    this.state = state;
    this.statistics = new Statistics(state.time());
  }

  /** What to answer from now on. */
  public void answer(Function<Command, Reply> newReplies) {
    replies = newReplies;
  }

  /** What is wrong; an empty text for nothing. */
  public void trouble(Supplier<String> what) {
    trouble = what;
  }

  @Override
  public Optional<String> trouble() {
    return Optional.of(trouble.get()).filter(text -> !text.isEmpty());
  }

  /** The commands that came and were not taken yet, in order. */
  public List<Command> taken() {
    List<Command> all = new ArrayList<>();
    commands.drainTo(all);
    return all;
  }

  /** Lets events happen. */
  public synchronized void happen(Event... events) {
    for (Event event : events) {
      state = state.apply(event);
      sequence++;
    }
    followers.forEach(f -> f.next(List.of(events), state, sequence));
  }

  public int followers() {
    return followers.size();
  }

  @Override
  public CompletionStage<Reply> handle(Command command) {
    commands.add(command);
    return CompletableFuture.completedStage(replies.apply(command));
  }

  @Override
  public synchronized Moment present() {
    return new Moment(state, sequence);
  }

  @Override
  public PassFigures figures() {
    return new PassFigures(state.time(), 1200, 3400, 17, 5, 42);
  }

  @Override
  public StepBook steps() {
    return new StepBook();
  }

  @Override
  public NodeMeasures measures() {
    return measures;
  }

  /** A node reports what it has measured. */
  public void report(String node, NodeMeasure measure) {
    measures.reported(node, measure);
  }

  @Override
  public Statistics statistics() {
    return statistics;
  }

  @Override
  public synchronized Runnable follow(Follower follower) {
    follower.start(state, sequence);
    followers.add(follower);
    return () -> followers.remove(follower);
  }

  @Override
  public void close() {}
}
