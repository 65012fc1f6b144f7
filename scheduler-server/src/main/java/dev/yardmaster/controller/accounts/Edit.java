package dev.yardmaster.controller.accounts;

import dev.yardmaster.model.AccountingChange;
import java.util.List;

/**
 * What a command changes.
 *
 * @param resetAssociations associations whose usage is forgotten
 * @param resetQos QOS whose usage is forgotten
 * @param lines what sacctmgr prints
 */
public record Edit(
    AccountingChange change,
    List<Integer> resetAssociations,
    List<String> resetQos,
    List<String> lines) {
  public Edit {
    resetAssociations = List.copyOf(resetAssociations);
    resetQos = List.copyOf(resetQos);
    lines = List.copyOf(lines);
  }
}
