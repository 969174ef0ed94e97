package dev.rcc.bench.paper;

import java.util.ArrayList;
import java.util.Formatter;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalDouble;

/**
 * The series of a claim as an SVG: a panel for each, with a line for the model and one for the authors' own figures if they are published.
 * The model's settings are the last of the book's, which are closest to the authors' runs.
 */
public final class SeriesChart {
    private static final int COLUMNS = 5;
    private static final int WIDTH = 260;
    private static final int HEIGHT = 150;
    private static final int LEFT = 46;
    private static final int RIGHT = 10;
    private static final int TOP = 24;
    private static final int BOTTOM = 22;
    private static final int HEAD = 40;
    private static final int POINTS_MIN = 3;

    private SeriesChart() {}

    /** The chart of a claim; empty if the claim has no series. */
    public static Optional<String> of(Claim.Finding finding) {
        Outcome outcome = finding.outcomes().getLast();
        List<Row.Measured> series =
                outcome.rows().stream().filter(SeriesChart::isSeries).toList();
        return series.isEmpty() ? Optional.empty() : Optional.of(draw(finding, outcome, series));
    }

    /** Whether a row's figures are named by the values of a parameter. */
    private static boolean isSeries(Row.Measured row) {
        return row.values().size() >= POINTS_MIN
                && row.values().stream().allMatch(value -> value.name().matches("[0-9.]+"));
    }

    private static String draw(Claim.Finding finding, Outcome outcome, List<Row.Measured> series) {
        int columns = Math.min(COLUMNS, series.size());
        int width = columns * WIDTH;
        int height = HEAD + (series.size() + columns - 1) / columns * HEIGHT;
        Formatter svg = new Formatter(Locale.ROOT);
        svg.format(
                "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" width=\"%d\" height=\"%d\""
                        + " font-family=\"sans-serif\" font-size=\"10\">%n",
                width, height, width, height);
        svg.format("<rect width=\"100%%\" height=\"100%%\" fill=\"#fff\"/>%n");
        text(
                svg,
                8,
                16,
                "start",
                "#000",
                finding.section() + ", " + finding.claim().source() + ": "
                        + finding.claim().text());
        text(svg, 8, 32, "start", Line.MODEL.colour, "the model, settings '" + outcome.settings() + "', MODELLED");
        text(svg, width - 8, 32, "end", Line.LOGS.colour, "the authors' logs");
        for (int i = 0; i < series.size(); i++) {
            panel(svg, series.get(i), i % columns * WIDTH, HEAD + i / columns * HEIGHT);
        }
        return svg.format("</svg>%n").toString();
    }

    private enum Line {
        MODEL("#1f5fa8", ""),
        LOGS("#c8581e", " stroke-dasharray=\"4 2\"");

        private final String colour;
        private final String dashes;

        Line(String colour, String dashes) {
            this.colour = colour;
            this.dashes = dashes;
        }

        OptionalDouble of(Row.Value value) {
            return this == MODEL ? OptionalDouble.of(value.value()) : value.logged();
        }
    }

    private static void panel(Formatter svg, Row.Measured row, int x, int y) {
        double top = 0;
        for (Row.Value value : row.values()) {
            for (Line line : Line.values()) {
                double high = line.of(value).orElse(0);
                top = Double.isFinite(high) ? Math.max(top, high) : top;
            }
        }
        int right = x + WIDTH - RIGHT;
        int bottom = y + HEIGHT - BOTTOM;
        text(svg, x + 8, y + 14, "start", "#000", row.label() + (row.unit().isEmpty() ? "" : ", " + row.unit()));
        svg.format("<path d=\"M%d %dV%dH%d\" fill=\"none\" stroke=\"#888\"/>%n", x + LEFT, y + TOP, bottom, right);
        text(svg, x + LEFT - 4, y + TOP + 8, "end", "#555", number(top));
        text(svg, x + LEFT - 4, bottom, "end", "#555", "0");
        int count = row.values().size();
        for (int i = 0; i < count; i++) {
            text(
                    svg,
                    at(x, i, count),
                    bottom + 13,
                    "middle",
                    "#555",
                    row.values().get(i).name());
        }
        for (Line line : Line.values()) {
            line(svg, line, row, x, y, top);
        }
    }

    private static void line(Formatter svg, Line line, Row.Measured row, int x, int y, double top) {
        List<String> points = new ArrayList<>();
        int count = row.values().size();
        for (int i = 0; i < count; i++) {
            OptionalDouble value = line.of(row.values().get(i));
            if (value.isPresent() && Double.isFinite(value.getAsDouble()) && top > 0) {
                double high = HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * value.getAsDouble() / top;
                points.add(String.format(Locale.ROOT, "%d,%.1f", at(x, i, count), y + high));
            }
        }
        if (!points.isEmpty()) {
            svg.format(
                    "<polyline points=\"%s\" fill=\"none\" stroke=\"%s\" stroke-width=\"1.5\"%s/>%n",
                    String.join(" ", points), line.colour, line.dashes);
        }
    }

    private static int at(int x, int i, int count) {
        int inset = 8;
        return x + LEFT + inset + i * (WIDTH - LEFT - RIGHT - 2 * inset) / (count - 1);
    }

    private static void text(Formatter svg, int x, int y, String anchor, String colour, String text) {
        svg.format(
                "<text x=\"%d\" y=\"%d\" text-anchor=\"%s\" fill=\"%s\">%s</text>%n",
                x, y, anchor, colour, text.replace("&", "&amp;").replace("<", "&lt;"));
    }

    private static String number(double value) {
        return value >= 1e6
                ? String.format(Locale.ROOT, "%.1f M", value / 1e6)
                : value >= 1e4
                        ? String.format(Locale.ROOT, "%.0f k", value / 1e3)
                        : String.format(Locale.ROOT, value >= 10 ? "%.0f" : "%.2f", value);
    }
}
