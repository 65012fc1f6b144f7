package dev.yardmaster.cli;

import dev.yardmaster.client.ClientException;
import dev.yardmaster.client.SchedulerClient;
import dev.yardmaster.model.text.TresList;
import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** sacctmgr(1): shows and changes accounts, users, QOS and associations. */
final class Sacctmgr implements Command {
  private static final List<String> TABLE =
      List.of(
          "h help",
          "usage",
          "i immediate",
          "json::",
          "n noheader",
          "o oneliner",
          "p parsable",
          "P parsable2",
          "Q quiet",
          "r readonly",
          "s associations",
          "v verbose",
          "V version",
          "yaml::");

  @Override
  public int run(List<String> arguments, Io io) throws CommandFailure {
    GetOpt.Parsed parsed = new GetOpt("sacctmgr", 1, false, TABLE).parse(arguments);
    if (parsed.has("version")) {
      io.out().println(SlurmVersion.line());
      return 0;
    }
    List<String> words = parsed.operands();
    if (words.isEmpty() && !parsed.has("help") && !parsed.has("usage")) {
      return new Shell("sacctmgr", io)
          .run(line -> command(new GetOpt.Parsed(parsed.options(), line), io));
    }
    if (parsed.has("help") || parsed.has("usage")) {
      io.out().println(usage());
      return 0;
    }
    return command(parsed, io);
  }

  private static String usage() {
    return Usage.of(
        """
        Usage: sacctmgr [OPTION...] COMMAND ENTITY [TERM...]
          add account|coordinator|qos|user NAME... [FIELD=VALUE...]
          modify account|cluster|qos|user [where FIELD=VALUE...] set FIELD=VALUE...
          delete account|coordinator|qos|user [where] NAME...|FIELD=VALUE...
          show account|association|cluster|qos|tres|user|wckey [NAME...] [format=COLUMN,...]
          dump CLUSTER [file=FILE], load FILE
          ping, version
        """,
        "sacctmgr(1)",
        TABLE);
  }

  private static int command(GetOpt.Parsed parsed, Io io) throws CommandFailure {
    List<String> words = parsed.operands();
    DataDocument.check("sacctmgr", parsed, 1, io);
    String verb = words.getFirst().toLowerCase(Locale.ROOT);
    try (SchedulerClient client = Session.open("sacctmgr", io)) {
      return switch (verb) {
        case "add", "create", "modify", "delete", "remove" -> change(client, parsed, io);
        case "show", "list" -> new SacctmgrShow(client, parsed, io).run();
        case "ping" -> {
          io.out().println("slurmdbd(primary) at " + client.info().host() + " is UP");
          yield 0;
        }
        case "version" -> {
          io.out().println(SlurmVersion.line());
          yield 0;
        }
        case "exit", "quit" -> 0;
        case "archive" -> archive(parsed, io);
        case "help" -> {
          if (words.size() > 1) {
            io.err().println("too many arguments for keyword:help");
          }
          io.out().println(usage());
          yield words.size() > 1 ? 1 : 0;
        }
        case "dump" -> new SacctmgrFile(client, io).dump(words.subList(1, words.size()));
        case "load" -> load(client, parsed, io);
        default -> throw new CommandFailure(1, "invalid keyword: " + words.getFirst());
      };
    } catch (ClientException.Refused e) {
      if (e.name().equals("ACCOUNTING") && e.detail() instanceof String detail) {
        throw new CommandFailure(1, detail.split("\n", -1));
      }
      throw new CommandFailure(1, " Error with request: " + Session.words(e));
    } catch (ClientException e) {
      throw new CommandFailure(1, "sacctmgr: error: " + Session.words(e));
    }
  }

  private static String unavailable(String verb) {
    return "sacctmgr: " + verb + ": not available yet in this version of Yardmaster";
  }

  private static int archive(GetOpt.Parsed parsed, Io io) throws CommandFailure {
    List<String> words = parsed.operands();
    String what = words.size() > 1 ? words.get(1).toLowerCase(Locale.ROOT) : "";
    if (what.equals("dump")) {
      io.out()
          .println(
              "This may result in loss of accounting database records (if Purge* options"
                  + " enabled).");
      if (!parsed.has("immediate") && !agreed("Are you sure you want to continue?", io)) {
        io.out().println(" Changes Discarded");
        return 0;
      }
      throw new CommandFailure(1, unavailable("archive"));
    }
    if (what.equals("load")) {
      throw words.size() > 2
          ? new CommandFailure(1, unavailable("archive"))
          : new CommandFailure(
              1,
              "sacctmgr: error: Error with request.",
              " Problem loading archive file: Unspecified error");
    }
    throw new CommandFailure(
        1, "No valid entity in archive command", "Input line must include, \"Dump\", or \"load\"");
  }

  private static int load(SchedulerClient client, GetOpt.Parsed parsed, Io io)
      throws ClientException, CommandFailure {
    requireWritable(parsed);
    List<String> words = parsed.operands();
    boolean asks = !parsed.has("immediate");
    return new SacctmgrFile(client, io)
        .load(words.subList(1, words.size()), question -> !asks || agreed(question, io));
  }

  private static void requireWritable(GetOpt.Parsed parsed) throws CommandFailure {
    if (parsed.has("readonly")) {
      throw new CommandFailure(1, "Can't run this command in readonly mode.");
    }
  }

  private static int change(SchedulerClient client, GetOpt.Parsed parsed, Io io)
      throws ClientException, CommandFailure {
    requireWritable(parsed);
    boolean asks = !parsed.has("immediate");
    List<String> lines = client.changeAccounting(parsed.operands(), asks);
    if (!parsed.has("quiet")) {
      lines.forEach(io.out()::println);
    }
    if (!asks) {
      return 0;
    }
    if (agreed("Would you like to commit changes?", io)) {
      client.changeAccounting(parsed.operands(), false);
    } else {
      io.out().println(" Changes Discarded");
    }
    return 0;
  }

  private static boolean agreed(String question, Io io) {
    io.out().println(question + " (You have 30 seconds to decide)");
    io.out().print("(N/y): ");
    io.out().flush();
    try {
      int answer = io.in().read();
      io.out().println();
      return answer == 'y' || answer == 'Y';
    } catch (IOException e) {
      return false;
    }
  }

  /** Amounts by TRES as sacctmgr prints them. */
  static String tres(Map<String, Long> amounts) {
    return new TresList(amounts).toString();
  }
}
