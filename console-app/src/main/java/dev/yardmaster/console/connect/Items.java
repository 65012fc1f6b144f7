package dev.yardmaster.console.connect;

import dev.yardmaster.console.shell.Item;
import dev.yardmaster.model.Job;
import org.jspecify.annotations.Nullable;

/**
 * Makes and reads the addresses of things in a cluster. A job's address is the number of its
 * record, which stays the same while an array starts its tasks and its written id changes.
 */
public final class Items {
  private Items() {}

  public static Item job(int id) {
    return new Item(Item.Kind.JOB, Integer.toString(id));
  }

  public static Item job(Job job) {
    return job(job.id());
  }

  public static Item node(String name) {
    return new Item(Item.Kind.NODE, name);
  }

  public static Item partition(String name) {
    return new Item(Item.Kind.PARTITION, name);
  }

  public static Item account(String name) {
    return new Item(Item.Kind.ACCOUNT, name);
  }

  public static Item user(String name) {
    return new Item(Item.Kind.USER, name);
  }

  public static Item reservation(String name) {
    return new Item(Item.Kind.RESERVATION, name);
  }

  /** The number of the job that is addressed; null when it is not a job. */
  public static @Nullable Integer jobId(@Nullable Item item) {
    if (item == null || item.kind() != Item.Kind.JOB) {
      return null;
    }
    try {
      return Integer.valueOf(item.name());
    } catch (NumberFormatException e) {
      return null;
    }
  }

  /** The name of the node that is addressed; null when it is not a node. */
  public static @Nullable String nodeName(@Nullable Item item) {
    return item != null && item.kind() == Item.Kind.NODE ? item.name() : null;
  }
}
