package dev.yardmaster.console.kit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.yardmaster.console.fx.Tasks;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import org.junit.jupiter.api.Test;

class SnapshotRowsTest {
  private final SnapshotRows<Integer> rows = new SnapshotRows<>(Tasks.sameThread());

  @Test
  void rowsKeepTheirOwnOrderUntilSorted() {
    rows.show(List.of(3, 1, 2));
    assertThat(rows.rowsProperty().get()).containsExactly(3, 1, 2);

    rows.sort(Comparator.naturalOrder());
    assertThat(rows.rowsProperty().get()).containsExactly(1, 2, 3);

    rows.sort(null);
    assertThat(rows.rowsProperty().get()).containsExactly(3, 1, 2);
  }

  @Test
  void filterAndOrderOutliveTheSnapshot() {
    rows.filter(n -> n > 1);
    rows.sort(Comparator.reverseOrder());
    rows.show(List.of(1, 2, 3));
    rows.show(List.of(5, 0, 9));

    assertThat(rows.rowsProperty().get()).containsExactly(9, 5);
    assertThat(rows.totalProperty().get()).isEqualTo(3);
  }

  @Property
  void whatIsShownIsTheFilteredAndSortedSnapshot(@ForAll List<Integer> snapshot) {
    rows.show(snapshot);
    rows.filter(n -> n % 2 == 0);
    rows.sort(Comparator.naturalOrder());

    assertThat(rows.rowsProperty().get())
        .isEqualTo(snapshot.stream().filter(n -> n % 2 == 0).sorted().toList());
  }

  @Test
  void changesDuringAPassAreDoneInOneMorePass() {
    List<Integer> sizes = new ArrayList<>();
    rows.rowsProperty()
        .addListener(
            (o, was, now) -> {
              sizes.add(now.size());
              if (sizes.size() == 1) {
                rows.show(List.of(1, 2));
                rows.show(List.of(1, 2, 3));
              }
            });
    rows.show(List.of(1));

    assertThat(sizes.getLast()).isEqualTo(3);
  }
}
