package dev.yardmaster.console.queue;

import dev.yardmaster.console.kit.Dot;
import dev.yardmaster.console.kit.Pill;
import dev.yardmaster.console.terms.Terms;
import dev.yardmaster.console.theme.AccountPalette;
import dev.yardmaster.model.Job;
import java.time.Instant;
import java.util.function.Supplier;
import javafx.beans.binding.Bindings;
import javafx.beans.value.ObservableValue;
import javafx.scene.control.TableCell;
import javafx.scene.control.Tooltip;
import org.jspecify.annotations.Nullable;

/** How the cells of the queue are drawn. */
final class QueueCells {
  private final Terms terms;
  private final AccountPalette accounts;
  private final ObservableValue<Instant> now;

  QueueCells(Terms terms, AccountPalette accounts, ObservableValue<Instant> now) {
    this.terms = terms;
    this.accounts = accounts;
    this.now = now;
  }

  Supplier<TableCell<Job, String>> of(JobColumn column) {
    return () -> new JobCell(column);
  }

  private final class JobCell extends TableCell<Job, String> {
    private final JobColumn column;

    JobCell(JobColumn column) {
      this.column = column;
      getStyleClass()
          .add(
              switch (column.kind()) {
                case CODE -> "text";
                case TEXT -> "plain";
                case NUMBER -> "number";
              });
    }

    @Override
    protected void updateItem(@Nullable String text, boolean empty) {
      super.updateItem(text, empty);
      textProperty().unbind();
      Job job = empty || getTableRow() == null ? null : getTableRow().getItem();
      if (job == null || text == null) {
        setText(null);
        setGraphic(null);
        setTooltip(null);
        return;
      }
      draw(job, text);
      String hover = column.hover(job, terms);
      setTooltip(hover.isEmpty() ? null : new Tooltip(hover));
    }

    private void draw(Job job, String text) {
      switch (column) {
        case ACCOUNT -> {
          setText(text);
          setGraphic(
              job.owner().account().isEmpty()
                  ? null
                  : Dot.ofAccount(accounts.indexOf(job.owner().account())));
        }
        case STATE -> {
          setText(null);
          setGraphic(new Pill(text, terms.tone(job)));
        }
        // The clock goes on while the job stays the same.
        case ELAPSED ->
            textProperty()
                .bind(
                    Bindings.createStringBinding(
                        () -> column.text(job, terms, now.getValue()), now));
        default -> setText(text);
      }
    }
  }
}
