package dev.rcc.bench.verbs;

import java.util.ArrayList;
import java.util.List;
import java.util.OptionalInt;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * The output of a perftest client: settings as {@code name : value}, a line of column titles that begins with
 * {@code #bytes}, and the figures below it.
 */
final class PerftestOutput {
    private static final String FIRST_COLUMN = "#bytes";
    private static final Pattern COLUMN_GAP = Pattern.compile("\\s{2,}|\\t|(?<=])\\s+");
    private static final Pattern SPACE = Pattern.compile("\\s+");
    private static final String FINITE = "\\d+(\\.\\d+)?";
    private static final Pattern NUMBER = Pattern.compile(FINITE + "|[+-]?(inf|nan)");
    private static final String TYPICAL = "t_typical[usec]";
    private static final String MESSAGE_RATE = "MsgRate[Mpps]";
    private static final double MILLION = 1e6;

    private final String text;
    private final List<String> titles;
    private final List<String> figures;

    private PerftestOutput(String text, List<String> titles, List<String> figures) {
        this.text = text;
        this.titles = titles;
        this.figures = figures;
    }

    /**
     * Parses an output.
     *
     * @throws MeasurementFailed when it has no figures; the message has its last lines instead
     */
    static PerftestOutput parse(String text) {
        List<String> lines = text.lines().map(String::strip).toList();
        for (int i = 0; i + 1 < lines.size(); i++) {
            if (lines.get(i).startsWith(FIRST_COLUMN)) {
                List<String> figures = List.of(SPACE.split(lines.get(i + 1), 0));
                if (figures.getFirst().matches(FINITE)
                        && figures.stream()
                                .allMatch(figure -> NUMBER.matcher(figure).matches())) {
                    return new PerftestOutput(text, titles(lines.get(i)), figures);
                }
            }
        }
        throw new MeasurementFailed("no figures in its output: " + complaint(text));
    }

    /** Whether perftest did not find the frequency of the processor's counter, by which it divides: then its times are infinite. */
    boolean hasNoClock() {
        return !figures.stream().allMatch(figure -> figure.matches(FINITE));
    }

    /** The typical latency in microseconds. */
    double typicalMicros() {
        return figure(TYPICAL);
    }

    /** Messages a second, on average over the measurement. */
    double messagesPerSecond() {
        return figure(MESSAGE_RATE) * MILLION;
    }

    /** Size of the messages. */
    int bytes() {
        return (int) figure(FIRST_COLUMN);
    }

    /** A setting that was printed, such as {@code GID index} or {@code Mtu}. */
    OptionalInt setting(String name) {
        Matcher matcher = Pattern.compile("(?m)^\\s*" + Pattern.quote(name) + "\\s*:\\s*(\\d+)")
                .matcher(text);
        return matcher.find() ? OptionalInt.of(Integer.parseInt(matcher.group(1))) : OptionalInt.empty();
    }

    /** The message of a program that failed, in one line: its last lines without decoration. */
    static String complaint(String text) {
        List<String> lines = text.lines()
                .map(String::strip)
                .filter(line -> !line.isEmpty() && !line.startsWith("---") && !line.startsWith("***"))
                .toList();
        int most = 3;
        List<String> last = lines.subList(Math.max(0, lines.size() - most), lines.size());
        return last.isEmpty() ? "nothing" : String.join("; ", last);
    }

    private double figure(String title) {
        int column = titles.indexOf(title);
        if (column < 0 || column >= figures.size()) {
            throw new MeasurementFailed("no column " + title + " in its output, but " + titles);
        }
        return Double.parseDouble(figures.get(column));
    }

    /** Titles such as {@code 99% percentile[usec]} have a space in them, and some are only one space apart. */
    private static List<String> titles(String line) {
        List<String> titles = new ArrayList<>();
        for (String title : COLUMN_GAP.split(line, 0)) {
            if (title.startsWith(FIRST_COLUMN + " ")) {
                titles.addAll(List.of(SPACE.split(title, 0)));
            } else {
                titles.add(title.strip());
            }
        }
        return titles;
    }
}
