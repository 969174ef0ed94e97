package dev.rcc.bench.shell;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.jline.reader.Candidate;
import org.jline.reader.EndOfFileException;
import org.jline.reader.LineReader;
import org.jline.reader.LineReaderBuilder;
import org.jline.reader.ParsedLine;
import org.jline.reader.UserInterruptException;
import org.jline.reader.impl.DefaultParser;
import org.jline.terminal.Terminal;
import org.jline.terminal.TerminalBuilder;

/** A terminal at which a user types commands: with a history, and with completion of commands and tables. */
public final class ShellTerminal {
    private ShellTerminal() {}

    /**
     * Reads commands until the user leaves.
     *
     * @param history the file of typed lines, including those of earlier shells
     */
    public static void run(Shell shell, Path history) throws IOException {
        try (Terminal terminal =
                TerminalBuilder.builder().name("rcc").system(true).dumb(true).build()) {
            DefaultParser parser = new DefaultParser();
            parser.setEscapeChars(null);
            parser.setQuoteChars(new char[] {'"'});
            List<String> tables = shell.tableNames();
            LineReader reader = LineReaderBuilder.builder()
                    .terminal(terminal)
                    .appName("rcc")
                    .parser(parser)
                    .completer((line, parsed, candidates) ->
                            candidates(parsed, tables).map(Candidate::new).forEach(candidates::add))
                    .variable(LineReader.HISTORY_FILE, history)
                    .option(LineReader.Option.DISABLE_EVENT_EXPANSION, true)
                    .build();
            Thread thread = Thread.currentThread();
            terminal.handle(Terminal.Signal.INT, signal -> thread.interrupt()); // ends the wait for an answer
            while (!shell.hasEnded()) {
                Thread.interrupted(); // an interrupt that came too late
                try {
                    shell.execute(reader.readLine(prompt(shell)), "", false);
                } catch (UserInterruptException e) {
                    // Ctrl-C discards the line, and nothing else
                } catch (EndOfFileException e) {
                    break;
                }
            }
        } finally {
            shell.close();
        }
    }

    private static String prompt(Shell shell) {
        return shell.transaction().isEmpty() ? "rcc> " : "rcc (" + shell.transaction() + ")> ";
    }

    private static Stream<String> candidates(ParsedLine line, List<String> tables) {
        return candidates(line.words().subList(0, line.wordIndex()), tables);
    }

    /** The candidates to follow the words before the cursor. */
    static Stream<String> candidates(List<String> before, List<String> tables) {
        int begin = before.size();
        while (begin > 0 && !before.get(begin - 1).endsWith(";")) {
            begin--;
        }
        List<String> command = before.subList(begin, before.size());
        if (command.isEmpty()) {
            return ShellCommand.words().stream();
        }
        return ShellCommand.find(new Word(command.getFirst(), false)).stream().flatMap(found -> switch (found) {
            case HELP -> command.size() == 1 ? ShellCommand.words().stream() : Stream.of();
            case TIMING -> command.size() == 1 ? Stream.of("on", "off") : Stream.of();
            case FORMAT -> command.size() == 1 ? Stream.of("text", "json") : Stream.of();
            case GET -> command.size() == 1 ? tables.stream() : command.size() == 3 ? Stream.of("update") : Stream.of();
            case SCAN -> command.size() == 1 ? tables.stream() : Stream.of("limit", "descending");
            default -> command.size() == 1 && found.takesTable() ? tables.stream() : Stream.of();
        });
    }
}
