package dev.yardmaster.model;

import io.soabase.recordbuilder.core.RecordBuilder;
import java.util.List;

/**
 * A bank account (sacctmgr(1)). Where it stands in the tree, and its shares and limits, are those
 * of its {@link Association}.
 *
 * @param coordinators users who may change it and what is below it
 */
@RecordBuilder
public record Account(
    String name, String description, String organization, List<String> coordinators)
    implements AccountBuilder.With {
  /** The account above all. */
  public static final String ROOT = "root";

  public Account {
    coordinators = List.copyOf(coordinators);
  }
}
