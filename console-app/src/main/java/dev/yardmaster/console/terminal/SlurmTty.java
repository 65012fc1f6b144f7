package dev.yardmaster.console.terminal;

import com.techsenger.jeditermfx.core.TtyConnector;
import com.techsenger.jeditermfx.core.util.TermSize;
import dev.yardmaster.console.fx.Worker;
import dev.yardmaster.console.i18n.Texts;
import dev.yardmaster.console.terminal.CommandWords.NotOneCommand;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What is at the other end of the terminal: a line that is typed, and the one command that runs.
 * Keys come on a thread of the terminal, output of a command on one of its own.
 */
final class SlurmTty implements TtyConnector, LineEditor.Host {
  private static final String PROMPT = "$ ";
  private static final String CLEAR = "\u001b[2J\u001b[3J\u001b[H";

  private final SlurmCommands commands;
  private final Texts texts;
  private final Function<String, List<String>> completion;
  private final LineEditor editor = new LineEditor(PROMPT, this);
  private final BlockingQueue<String> output = new LinkedBlockingQueue<>();
  private final Worker worker = new Worker("terminal-output");
  private final CountDownLatch closed = new CountDownLatch(1);
  private String rest = "";
  private volatile int columns = 80;
  private volatile @Nullable Process running;

  /**
   * A terminal's other end.
   *
   * @param completion what may stand in place of the last word of a line
   */
  SlurmTty(SlurmCommands commands, Texts texts, Function<String, List<String>> completion) {
    this.commands = commands;
    this.texts = texts;
    this.completion = completion;
    say(TerminalText.WELCOME);
    editor.prompt();
  }

  @Override
  public void echo(String text) {
    output.add(text);
  }

  @Override
  public List<String> complete(String line) {
    return completion.apply(line);
  }

  @Override
  public void interrupt() {
    Process process = running;
    if (process == null) {
      editor.prompt();
    } else {
      process.toHandle().destroy();
    }
  }

  @Override
  public void enter(String line) {
    try {
      List<String> words = CommandWords.split(line);
      if (words.isEmpty()) {
        editor.prompt();
        return;
      }
      run(words);
    } catch (NotOneCommand e) {
      if (e.operator().isEmpty()) {
        say(TerminalText.OPEN_QUOTE);
      } else {
        say(TerminalText.NO_SHELL, e.operator());
      }
      editor.prompt();
    }
  }

  private void run(List<String> words) {
    String command = words.getFirst();
    if (command.equals("clear")) {
      echo(CLEAR);
    } else if (command.equals("help")) {
      say(TerminalText.HELP, String.join(", ", commands.names()));
    } else if (!commands.names().contains(command)) {
      say(TerminalText.UNKNOWN, command);
    } else {
      try {
        Process process = commands.start(words, columns);
        running = process;
        worker.execute(() -> pump(process));
        return;
      } catch (IOException e) {
        say(TerminalText.FAILED, command, e.getMessage());
      }
    }
    editor.prompt();
  }

  private void pump(Process process) {
    String end = "";
    try (Reader reader = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8)) {
      char[] buffer = new char[4_096];
      for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) {
        echo(new String(buffer, 0, n).replace("\r", "").replace("\n", "\r\n"));
      }
      int code = process.onExit().join().exitValue();
      end = code == 0 ? "" : texts.get(TerminalText.EXIT_CODE, Integer.toString(code)) + "\r\n";
    } catch (IOException e) {
      end = String.valueOf(e.getMessage()) + "\r\n";
    } finally {
      synchronized (editor) {
        running = null;
        echo(end);
        editor.prompt();
      }
    }
  }

  private void say(TerminalText text, @Nullable Object... arguments) {
    echo(texts.get(text, arguments) + "\r\n");
  }

  @Override
  public int read(char[] buffer, int offset, int length) throws IOException {
    try {
      while (rest.isEmpty()) {
        if (!isConnected()) {
          return -1;
        }
        rest = output.take();
      }
    } catch (InterruptedException e) {
      throw new IOException("the terminal was closed", e);
    }
    int n = Math.min(length, rest.length());
    rest.getChars(0, n, buffer, offset);
    rest = rest.substring(n);
    return n;
  }

  @Override
  public void write(byte[] bytes) {
    write(new String(bytes, StandardCharsets.UTF_8));
  }

  /** While a command runs only Control C is heard. */
  @Override
  public void write(String keys) {
    synchronized (editor) {
      if (running == null) {
        editor.feed(keys);
      } else if (keys.indexOf('\u0003') >= 0) {
        echo("^C\r\n");
        interrupt();
      }
    }
  }

  @Override
  public void resize(TermSize size) {
    columns = size.getColumns();
  }

  @Override
  public boolean isConnected() {
    return closed.getCount() > 0;
  }

  @Override
  public int waitFor() throws InterruptedException {
    closed.await();
    return 0;
  }

  @Override
  public boolean ready() {
    return !rest.isEmpty() || !output.isEmpty();
  }

  @Override
  public String getName() {
    return "slurm";
  }

  @Override
  public void close() {
    Process process = running;
    if (process != null) {
      process.toHandle().destroy();
    }
    worker.close();
    closed.countDown();
    output.add("");
  }
}
