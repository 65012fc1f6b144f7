package dev.yardmaster.console.why;

import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.kit.Card;
import dev.yardmaster.console.kit.Icon;
import dev.yardmaster.console.kit.Labels;
import dev.yardmaster.console.why.WhyPage.GateLine;
import dev.yardmaster.console.why.WhyPage.Mark;
import java.util.List;
import javafx.geometry.Pos;
import javafx.scene.Node;
import javafx.scene.control.Hyperlink;
import javafx.scene.control.Label;
import javafx.scene.layout.HBox;
import javafx.scene.layout.Priority;
import javafx.scene.layout.StackPane;
import javafx.scene.layout.VBox;

/**
 * Draws the gates in the order the scheduler applies them; those that do not concern the job are
 * folded.
 */
final class GatesCard {
  private final Texts texts;
  private boolean unfolded;

  GatesCard(Texts texts) {
    this.texts = texts;
  }

  Card build(List<GateLine> gates) {
    VBox rows = rows(gates);
    for (int i = 0; i < gates.size(); i++) {
      if (gates.get(i).mark() == Mark.NOT_APPLICABLE) {
        rows.getChildren().get(i).setVisible(unfolded);
        rows.getChildren().get(i).setManaged(unfolded);
      }
    }
    long concerned = gates.stream().filter(g -> g.mark() != Mark.NOT_APPLICABLE).count();
    long blocking = gates.stream().filter(g -> g.mark() == Mark.BLOCKS).count();
    Card card =
        new Card(texts.get(WhyText.GATES), rows)
            .remark(texts.get(WhyText.GATES_SUMMARY, blocking, concerned));
    long folded = gates.size() - concerned;
    if (folded > 0) {
      card.getChildren().add(unfold(gates, rows, folded));
    }
    return card;
  }

  /** The rows alone, without a card. */
  static VBox rows(List<GateLine> gates) {
    VBox rows = new VBox();
    rows.getStyleClass().add("rows");
    gates.forEach(gate -> rows.getChildren().add(row(gate)));
    return rows;
  }

  private Node unfold(List<GateLine> gates, VBox rows, long folded) {
    Hyperlink link = new Hyperlink(texts.get(WhyText.GATES_NOT_APPLICABLE, folded));
    link.getStyleClass().add("note");
    link.setOnAction(
        e -> {
          unfolded = !unfolded;
          for (int i = 0; i < gates.size(); i++) {
            if (gates.get(i).mark() == Mark.NOT_APPLICABLE) {
              rows.getChildren().get(i).setVisible(unfolded);
              rows.getChildren().get(i).setManaged(unfolded);
            }
          }
        });
    return link;
  }

  private static Node row(GateLine gate) {
    StackPane mark = new StackPane(icon(gate.mark()).node());
    mark.getStyleClass().addAll("gate-mark", style(gate.mark()));
    Label rule = Labels.wrapping(gate.rule(), gate.mark() == Mark.BLOCKS ? "strong" : "secondary");
    Label outcome = Labels.of(gate.outcome(), "note", "gate-outcome", style(gate.mark()));
    outcome.setMinWidth(Label.USE_PREF_SIZE);
    HBox line = new HBox(rule, Labels.gap(), outcome);
    line.setAlignment(Pos.TOP_LEFT);
    line.getStyleClass().add("row");
    VBox text = new VBox(line);
    if (!gate.evidence().isEmpty()) {
      text.getChildren().add(Labels.wrapping(gate.evidence(), "note"));
    }
    HBox.setHgrow(text, Priority.ALWAYS);
    HBox row = new HBox(mark, text);
    row.getStyleClass().add("row");
    return row;
  }

  private static Icon icon(Mark mark) {
    return switch (mark) {
      case PASSED -> Icon.CHECK;
      case BLOCKS -> Icon.CLOSE;
      case NOT_REACHED -> Icon.MORE;
      case NOT_APPLICABLE -> Icon.MORE;
    };
  }

  private static String style(Mark mark) {
    return switch (mark) {
      case PASSED -> "gate-passed";
      case BLOCKS -> "gate-blocks";
      case NOT_REACHED, NOT_APPLICABLE -> "gate-open";
    };
  }
}
