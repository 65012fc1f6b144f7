package dev.yardmaster.failover;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** Network namespaces that reach each other through one in the middle, as machines do. */
final class Machines implements AutoCloseable {
  private final String prefix = "ym" + ProcessHandle.current().pid() + "-";
  private final int count;

  private Machines(int count) {
    this.count = count;
  }

  /**
   * Makes them.
   *
   * @throws IOException when this user or system may not
   */
  static Machines make(int count) throws IOException, InterruptedException {
    Machines machines = new Machines(count);
    try {
      machines.build();
      return machines;
    } catch (IOException e) {
      machines.close();
      throw e;
    }
  }

  private void build() throws IOException, InterruptedException {
    ip("netns", "add", prefix + "hub");
    run(inside("hub", List.of("sh", "-c", "echo 1 > /proc/sys/net/ipv4/ip_forward")));
    for (int i = 1; i <= count; i++) {
      String name = prefix + i;
      ip("netns", "add", name);
      hub("link", "add", "m" + i, "type", "veth", "peer", "name", "eth0", "netns", name);
      hub("addr", "add", "10.77." + i + ".1/30", "dev", "m" + i);
      hub("link", "set", "m" + i, "up");
      ip("-n", name, "addr", "add", address(i) + "/30", "dev", "eth0");
      ip("-n", name, "link", "set", "lo", "up");
      ip("-n", name, "link", "set", "eth0", "up");
      ip("-n", name, "route", "add", "default", "via", "10.77." + i + ".1");
    }
  }

  static String address(int machine) {
    return "10.77." + machine + ".2";
  }

  /** A command line that runs on a machine. */
  List<String> on(int machine, List<String> command) {
    return inside(Integer.toString(machine), command);
  }

  void cutOff(int machine) throws IOException, InterruptedException {
    hub("link", "set", "m" + machine, "down");
  }

  void connect(int machine) throws IOException, InterruptedException {
    hub("link", "set", "m" + machine, "up");
  }

  private List<String> inside(String name, List<String> command) {
    List<String> line = new ArrayList<>(List.of("ip", "netns", "exec", prefix + name));
    line.addAll(command);
    return line;
  }

  private void hub(String... words) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of("ip", "-n", prefix + "hub"));
    line.addAll(List.of(words));
    run(line);
  }

  private static void ip(String... words) throws IOException, InterruptedException {
    List<String> line = new ArrayList<>(List.of("ip"));
    line.addAll(List.of(words));
    run(line);
  }

  private static void run(List<String> line) throws IOException, InterruptedException {
    Process process = new ProcessBuilder(line).redirectErrorStream(true).start();
    String said = new String(process.getInputStream().readAllBytes());
    if (!process.waitFor(10, TimeUnit.SECONDS) || process.exitValue() != 0) {
      throw new IOException(String.join(" ", line) + ": " + said.strip());
    }
  }

  @Override
  public void close() throws IOException {
    List<String> names = new ArrayList<>(List.of("hub"));
    for (int i = 1; i <= count; i++) {
      names.add(Integer.toString(i));
    }
    for (String name : names) {
      new ProcessBuilder("ip", "netns", "del", prefix + name)
          .redirectErrorStream(true)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .start()
          .onExit()
          .orTimeout(10, TimeUnit.SECONDS)
          .join();
    }
  }
}
