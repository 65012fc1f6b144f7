package dev.yardmaster.console.tour;

import dev.yardmaster.client.ClusterView;
import dev.yardmaster.console.ClusterViews;
import dev.yardmaster.console.connect.Items;
import dev.yardmaster.console.queue.GroupBy;
import dev.yardmaster.console.shell.Activity;
import dev.yardmaster.console.shell.Shell;
import dev.yardmaster.console.shell.ToolPanel;
import dev.yardmaster.console.why.LifeViewModel;
import dev.yardmaster.console.why.WhyViewModel.Content;
import dev.yardmaster.model.Job;
import dev.yardmaster.model.JobState;
import dev.yardmaster.model.Reason;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;

/** The views of a living cluster, with jobs chosen from what there is. */
final class ClusterStops {
  private final ClusterView view;

  ClusterStops(ClusterView view) {
    this.view = view;
  }

  List<ClusterStop> all() {
    List<ClusterStop> stops = new ArrayList<>();
    stops.add(activity("overview", Activity.OVERVIEW));
    stops.add(activity("queue", Activity.QUEUE));
    stops.add(filter("queue-filter", "state:PD gpus>0"));
    stops.add(filter("queue-problem", "color:blue"));
    stops.add(filter("queue-no-match", "user:nobody-of-this-name"));
    stops.add(grouped("queue-by-account", GroupBy.ACCOUNT));
    stops.add(grouped("queue-by-reason", GroupBy.REASON));
    stops.add(new ClusterStop("events", ClusterStops::events, ClusterStops::hasData));
    stops.add(
        new ClusterStop("terminal", (s, v) -> s.show(ToolPanel.TERMINAL), ClusterStops::hasData));
    stops.add(new ClusterStop("why-nothing", (s, v) -> s.show(Activity.WHY), v -> true));
    waiting().forEach((reason, job) -> stops.add(why("why-" + slug(reason), job)));
    first(job -> job.state() == JobState.RUNNING)
        .ifPresent(job -> stops.add(why("why-running", job)));
    first(job -> job.state().isFinished()).ifPresent(job -> stops.add(why("why-ended", job)));
    waiting().values().stream().findFirst().ifPresent(job -> stops.add(past("why-past", job)));
    first(Job::holdsResources).ifPresent(job -> stops.add(past("why-past-start", job)));
    if (!view.nodes().isEmpty()) {
      stops.add(nodes());
    }
    view.partitions().keySet().stream().findFirst().ifPresent(name -> stops.add(partition(name)));
    stops.add(palette());
    return stops;
  }

  /** For each reason the waiting job of the highest priority. */
  private Map<Reason, Job> waiting() {
    Map<Reason, Job> byReason = new LinkedHashMap<>();
    view.jobs().values().stream()
        .filter(job -> job.state() == JobState.PENDING)
        .sorted(Comparator.comparingLong(Job::priority).reversed().thenComparingInt(Job::id))
        .forEach(job -> byReason.putIfAbsent(job.reason(), job));
    return byReason;
  }

  private Optional<Job> first(Predicate<Job> test) {
    return view.jobs().values().stream().filter(test).findFirst();
  }

  private static String slug(Reason reason) {
    return reason.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  private static boolean hasData(ClusterViews views) {
    return views.cluster().snapshot() != null;
  }

  private static ClusterStop activity(String name, Activity activity) {
    return new ClusterStop(name, (shell, views) -> shell.show(activity), ClusterStops::hasData);
  }

  private static ClusterStop filter(String name, String filter) {
    return new ClusterStop(
        name,
        (shell, views) -> {
          shell.show(Activity.QUEUE);
          views.queue().filterProperty().set(filter);
        },
        ClusterStops::hasData);
  }

  private static ClusterStop grouped(String name, GroupBy by) {
    return new ClusterStop(
        name,
        (shell, views) -> {
          shell.show(Activity.QUEUE);
          views.queue().filterProperty().set("");
          views.queue().grouping().byProperty().set(by);
        },
        views -> !views.queue().grouping().groupsProperty().get().isEmpty());
  }

  private static void events(Shell shell, ClusterViews views) {
    views.queue().grouping().byProperty().set(GroupBy.NONE);
    shell.show(ToolPanel.EVENTS);
  }

  private static ClusterStop why(String name, Job job) {
    return new ClusterStop(
        name,
        (shell, views) -> {
          views.queue().filterProperty().set("");
          shell.show(ToolPanel.PROBLEMS);
          shell.openItem(Items.job(job));
        },
        views -> {
          Content content = views.why().contentProperty().get();
          return content instanceof Content.Waiting || content instanceof Content.Ran;
        });
  }

  /** The last change of a job, looked back at. */
  private static ClusterStop past(String name, Job job) {
    return new ClusterStop(
        name,
        (shell, views) -> {
          views.queue().filterProperty().set("");
          shell.show(ToolPanel.PROBLEMS);
          shell.openItem(Items.job(job));
        },
        views -> {
          LifeViewModel life = views.why().life();
          if (life.chosenProperty().get() == null
              && life.lifeProperty().get() instanceof LifeViewModel.Life.Known) {
            life.last();
          }
          return views.why().contentProperty().get() instanceof Content.Past;
        });
  }

  private ClusterStop nodes() {
    String name =
        first(Job::holdsResources)
            .map(Job::allocation)
            .map(allocation -> allocation.shares().getFirst().node())
            .orElse(view.nodes().firstEntry().getKey());
    return new ClusterStop(
        "nodes", (shell, views) -> shell.openItem(Items.node(name)), ClusterStops::hasData);
  }

  private static ClusterStop partition(String name) {
    return new ClusterStop(
        "partition",
        (shell, views) -> {
          shell.show(Activity.OVERVIEW);
          shell.model().selectionProperty().set(Items.partition(name));
        },
        ClusterStops::hasData);
  }

  private ClusterStop palette() {
    String query =
        view.nodes().keySet().stream()
            .findFirst()
            .map(name -> name.replaceAll("\\d", ""))
            .orElse("");
    return new ClusterStop(
        "palette-cluster", (shell, views) -> search(shell, query), views -> true);
  }

  private static void search(Shell shell, String query) {
    shell.palette().open();
    shell.palette().queryProperty().set(query);
  }
}
