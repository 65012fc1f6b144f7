package dev.yardmaster.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Tables of {@code sacctmgr show} without rows: what a cluster of its own never has, and what is
 * not kept yet, which is refused once the command line is known to be right.
 *
 * @param conditions what it knows, of which the first letters will do
 * @param advice what is said besides of a condition that it does not know; null for nothing
 * @param standard the columns that it has when none are chosen
 * @param others columns that can be chosen besides
 * @param kept whether there is nothing to show; false when it is only not kept yet
 */
record AbsentTables(
    List<String> conditions,
    @Nullable String advice,
    String standard,
    String others,
    boolean kept) {
  private static final String VALUE = " Use keyword 'set' to modify value";

  private static final Map<String, Integer> WIDTHS =
      Map.ofEntries(
          Map.entry("Account", -20),
          Map.entry("Allocated", 9),
          Map.entry("Allowed", 8),
          Map.entry("Actor", 10),
          Map.entry("Cluster", 10),
          Map.entry("Count", 6),
          Map.entry("Duration", 13),
          Map.entry("Event", 7),
          Map.entry("FedState", 12),
          Map.entry("Federation", 10),
          Map.entry("ID", 6),
          Map.entry("LastConsumed", 12),
          Map.entry("Name", 10),
          Map.entry("NodeName", -15),
          Map.entry("Problem", 40),
          Map.entry("Reason", 30),
          Map.entry("Server", 10),
          Map.entry("ServerType", 10),
          Map.entry("State", 6),
          Map.entry("Time", 19),
          Map.entry("TimeEnd", 19),
          Map.entry("TimeStart", 19),
          Map.entry("Type", 8),
          Map.entry("User", 10));

  /** The table of an entity; null when it is none of these. */
  static @Nullable AbsentTables of(String entity) {
    return switch (entity) {
      case "federation", "federations", "fed" ->
          new AbsentTables(
              List.of("names", "federations", "clusters", "withdeleted", "tree"),
              VALUE,
              "Federation,Cluster,ID%2,Features,FedState",
              "Flags,FedStateRaw,Index",
              true);
      case "resource", "resources", "res" ->
          new AbsentTables(
              List.of(
                  "names",
                  "clusters",
                  "descriptions",
                  "ids",
                  "allowed",
                  "percentallowed",
                  "servertype",
                  "withclusters",
                  "withdeleted"),
              " Use keyword 'set' to modify SLURM_PRINT_VALUE",
              "Name,Server,Type,Count,LastConsumed,Allocated,ServerType,Flags",
              "Cluster,Allowed,Description,ID",
              true);
      case "instance", "instances" ->
          new AbsentTables(
              List.of("clusters", "end", "extra", "instanceid", "instancetype", "nodes", "start"),
              null,
              "Cluster,NodeName,TimeStart,TimeEnd,InstanceId,InstanceType,Extra",
              "Start,End",
              true);
      case "event", "events" ->
          new AbsentTables(
              List.of(
                  "events",
                  "allevents",
                  "allclusters",
                  "clusters",
                  "condflags",
                  "end",
                  "mincpus",
                  "maxcpus",
                  "nodes",
                  "reason",
                  "start",
                  "states",
                  "users"),
              null,
              "Cluster,NodeName,TimeStart,TimeEnd,State,Reason,User",
              "Duration,Event,TRES,Start,End,StateRaw",
              false);
      case "problem", "problems" ->
          new AbsentTables(
              List.of(
                  "tree", "ids", "problems", "accounts", "acct", "clusters", "partitions", "users"),
              null,
              "Cluster,Account,User,Problem",
              "",
              false);
      case "transaction", "transactions", "txn" ->
          new AbsentTables(
              List.of(
                  "ids",
                  "txn",
                  "accounts",
                  "actions",
                  "actors",
                  "clusters",
                  "end",
                  "start",
                  "users",
                  "withassoc",
                  "withassocinfo"),
              null,
              "Time,Action,Actor,Where,Info",
              "User,Account,Cluster,ID",
              false);
      case "reservation", "reservations", "resv" ->
          new AbsentTables(
              List.of("clusters", "end", "ids", "names", "nodes", "start"),
              VALUE,
              "Cluster,Name%15,TRES%30,TimeStart,TimeEnd,UnusedWall",
              "Assocs,Flags,ID,NodeNames,End,Start,Comment",
              false);
      default -> null;
    };
  }

  /** All columns. */
  List<PrintFields.Field<String>> fields() {
    List<PrintFields.Field<String>> fields = new ArrayList<>();
    for (String item : Formats.list(standard + "," + others)) {
      String name = item.replaceFirst("%.*", "");
      fields.add(new PrintFields.Field<>(name, name, WIDTHS.getOrDefault(name, 20), row -> row));
    }
    return fields;
  }
}
