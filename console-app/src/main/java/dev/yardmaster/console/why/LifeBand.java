package dev.yardmaster.console.why;

import dev.yardmaster.console.why.LifePage.Band;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javafx.css.PseudoClass;
import javafx.scene.AccessibleRole;
import javafx.scene.control.Label;
import javafx.scene.control.Tooltip;
import javafx.scene.input.KeyEvent;
import javafx.scene.input.MouseEvent;
import javafx.scene.layout.Region;
import org.jspecify.annotations.Nullable;

/**
 * The life of a job as a strip of its stages, as wide as they lasted, on which a moment can be
 * chosen: by a click anywhere, near a change exactly there, or with the arrow keys.
 */
final class LifeBand extends Region {
  private static final PseudoClass CURRENT = PseudoClass.getPseudoClass("current");
  private static final double LEAST = 5;
  private static final double SNAP = 6;

  /** What is over has no length that means anything. */
  private static final double OVER_SHARE = 0.08;

  private final LifeViewModel model;
  private final Region marker = new Region();
  private final List<Label> parts = new ArrayList<>();
  private List<Band> bands = List.of();
  private double[] edges = {0};

  LifeBand(LifeViewModel model) {
    this.model = model;
    getStyleClass().add("life-band");
    marker.getStyleClass().add("life-marker");
    marker.setMouseTransparent(true);
    setFocusTraversable(true);
    setAccessibleRole(AccessibleRole.SLIDER);
    setOnMousePressed(this::press);
    setOnMouseDragged(this::press);
    setOnKeyPressed(this::key);
    model.chosenProperty().addListener(o -> mark());
  }

  void show(LifePage page, String accessibleText) {
    bands = page.bands();
    setAccessibleText(accessibleText);
    parts.clear();
    for (Band band : bands) {
      Label part = new Label(band.label());
      part.getStyleClass().addAll("life-stage", band.tone().styleClass());
      part.setTooltip(new Tooltip(band.line()));
      parts.add(part);
    }
    getChildren().setAll(parts);
    getChildren().add(marker);
    mark();
    requestLayout();
  }

  private void press(MouseEvent event) {
    requestFocus();
    if (bands.isEmpty()) {
      return;
    }
    for (int i = 0; i < bands.size(); i++) {
      if (Math.abs(event.getX() - edges[i]) <= SNAP) {
        model.choose(bands.get(i));
        return;
      }
    }
    model.choose(timeAt(event.getX()), 0);
  }

  private void key(KeyEvent event) {
    switch (event.getCode()) {
      case LEFT, DOWN -> model.previous();
      case RIGHT, UP -> model.next();
      case HOME -> {
        if (!bands.isEmpty()) {
          model.choose(bands.getFirst());
        }
      }
      case END, ESCAPE -> model.now();
      default -> {
        return;
      }
    }
    event.consume();
  }

  private Instant timeAt(double x) {
    for (int i = 0; i < bands.size(); i++) {
      if (x < edges[i + 1] || i == bands.size() - 1) {
        Band band = bands.get(i);
        double share = Math.clamp((x - edges[i]) / (edges[i + 1] - edges[i]), 0, 1);
        Duration length = Duration.between(band.from(), band.until());
        return band.from().plusSeconds(Math.round(length.toSeconds() * share));
      }
    }
    return bands.getLast().until();
  }

  private double placeOf(Instant at, long number) {
    LifePage page = new LifePage(bands, "");
    int i = page.indexOf(at, number);
    if (i < 0) {
      return 0;
    }
    Band band = bands.get(i);
    double length = Duration.between(band.from(), band.until()).toSeconds();
    double share =
        length <= 0 ? 0 : Math.clamp(Duration.between(band.from(), at).toSeconds() / length, 0, 1);
    return edges[i] + share * (edges[i + 1] - edges[i]);
  }

  private void mark() {
    LifeViewModel.@Nullable Chosen chosen = model.chosenProperty().get();
    marker.setVisible(chosen != null);
    int current =
        chosen == null
            ? bands.size() - 1
            : new LifePage(bands, "").indexOf(chosen.at(), chosen.number());
    for (int i = 0; i < parts.size(); i++) {
      parts.get(i).pseudoClassStateChanged(CURRENT, i == current && chosen != null);
    }
    requestLayout();
  }

  /** Widths as the stages lasted, none so narrow that it cannot be seen. */
  private void measure(double width) {
    edges = new double[bands.size() + 1];
    double total = 0;
    for (Band band : bands) {
      total += band.over() ? 0 : Duration.between(band.from(), band.until()).toSeconds();
    }
    boolean over = !bands.isEmpty() && bands.getLast().over() && bands.size() > 1;
    double room = Math.max(0, width * (over ? 1 - OVER_SHARE : 1) - LEAST * bands.size());
    for (int i = 0; i < bands.size(); i++) {
      Band band = bands.get(i);
      double seconds = Duration.between(band.from(), band.until()).toSeconds();
      double own =
          band.over()
              ? bands.size() == 1 ? width - LEAST : width * OVER_SHARE
              : total == 0 ? room / bands.size() : room * seconds / total;
      edges[i + 1] = edges[i] + LEAST + own;
    }
  }

  @Override
  protected void layoutChildren() {
    measure(getWidth());
    double height = getHeight();
    for (int i = 0; i < parts.size(); i++) {
      double from = snapPositionX(edges[i]);
      double to = snapPositionX(Math.min(getWidth(), edges[i + 1]));
      // A line of the ground between stages tells them apart where their colours are the same.
      parts.get(i).resizeRelocate(from, 3, Math.max(2, to - from - 1), height - 6);
      boolean readable = to - from > 42;
      parts.get(i).setText(readable ? bands.get(i).label() : "");
    }
    LifeViewModel.@Nullable Chosen chosen = model.chosenProperty().get();
    if (chosen != null) {
      double x = Math.min(getWidth() - 2, placeOf(chosen.at(), chosen.number()));
      marker.resizeRelocate(snapPositionX(Math.max(0, x - 1)), 0, 3, height);
    }
  }

  @Override
  protected double computePrefHeight(double width) {
    return 30;
  }

  @Override
  protected double computeMinHeight(double width) {
    return 30;
  }
}
