package dev.yardmaster.console.nodes;

import dev.yardmaster.console.connect.NodeUse;
import dev.yardmaster.console.theme.AccountPalette;
import dev.yardmaster.model.Job;
import javafx.scene.layout.Region;
import org.jspecify.annotations.Nullable;

/**
 * One small upright bar for each GPU of a node: in the colour of the account that holds it, with
 * only an outline while it is free, hatched while the node takes no work.
 */
final class GpuStrip extends Region {
  private static final double WIDTH = 7;
  private static final double HEIGHT = 15;
  private static final double GAP = 2;
  private static final double MAX_WIDTH = 96;

  private final AccountPalette accounts;

  GpuStrip(AccountPalette accounts) {
    this.accounts = accounts;
    getStyleClass().add("gpu-strip");
  }

  /** Shows the GPUs of another node. */
  void show(NodeUse use) {
    while (getChildren().size() > use.gpuJobs().size()) {
      getChildren().removeLast();
    }
    while (getChildren().size() < use.gpuJobs().size()) {
      getChildren().add(new Region());
    }
    for (int i = 0; i < use.gpuJobs().size(); i++) {
      getChildren().get(i).getStyleClass().setAll("gpu", style(use, use.gpuJobs().get(i)));
    }
    requestLayout();
  }

  private String style(NodeUse use, @Nullable Job job) {
    if (job != null) {
      return "account-" + accounts.indexOf(job.owner().account());
    }
    return use.group().takesWork() ? "gpu-free" : "gpu-unavailable";
  }

  @Override
  protected double computePrefWidth(double height) {
    int count = getChildren().size();
    return count == 0 ? 0 : Math.min(MAX_WIDTH, count * (WIDTH + GAP) - GAP);
  }

  @Override
  protected double computePrefHeight(double width) {
    return HEIGHT;
  }

  @Override
  protected void layoutChildren() {
    double width = Math.min(WIDTH, (getWidth() + GAP) / Math.max(1, getChildren().size()) - GAP);
    double height = Math.min(HEIGHT, getHeight());
    double top = snapPositionY((getHeight() - height) / 2);
    for (int i = 0; i < getChildren().size(); i++) {
      double left = snapPositionX(i * (width + GAP));
      getChildren().get(i).resizeRelocate(left, top, Math.max(1, width), height);
    }
  }
}
