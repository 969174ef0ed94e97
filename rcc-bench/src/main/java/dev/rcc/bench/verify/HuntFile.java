package dev.rcc.bench.verify;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a hunt has done, in a file, so that the next one goes on from there: a line of JSON that says what was hunted, then one for
 * each trial, written as soon as the trial has ended. A line that was cut off by the end of the process does not count.
 */
public final class HuntFile {
    private static final String FORMAT = "rcc-hunt";
    private static final JsonMapper JSON = new JsonMapper();

    private final Path path;
    private final Map<Key, TrialSummary> done = new LinkedHashMap<>();

    private record Key(String protocol, long seed) {}

    private HuntFile(Path path) {
        this.path = path;
    }

    /**
     * Opens a file, which is created if it is not there.
     *
     * @param choice what narrows the hunt: a seed means another scenario with another choice
     * @throws IllegalArgumentException when the file is of another choice, or no such file
     * @throws IOException when it can't be read or written
     */
    public static HuntFile open(Path path, String choice) throws IOException {
        HuntFile file = new HuntFile(path);
        List<String> lines = Files.exists(path) ? file.wholeLines() : List.of();
        if (lines.isEmpty()) {
            ObjectNode head = JSON.createObjectNode().put("format", FORMAT).put("choice", choice);
            Files.writeString(path, head + "\n");
            return file;
        }
        try {
            JsonNode head = JSON.readTree(lines.getFirst());
            if (!head.path("format").asString("").equals(FORMAT)) {
                throw new IllegalArgumentException(path + " was not written by a hunt");
            }
            String other = head.path("choice").asString("");
            if (!other.equals(choice)) {
                throw new IllegalArgumentException(path + " is of a hunt " + words(other) + ", this one is "
                        + words(choice) + ": a seed means something else there");
            }
            lines.stream().skip(1).map(JSON::readTree).forEach(file::add);
        } catch (JacksonException e) {
            throw new IllegalArgumentException(path + " was not written by a hunt: " + e.getOriginalMessage(), e);
        }
        return file;
    }

    private static String words(String choice) {
        return choice.isEmpty() ? "without a choice" : "with" + choice;
    }

    /** Cuts off what has no end. */
    private List<String> wholeLines() throws IOException {
        String text = Files.readString(path);
        int end = text.lastIndexOf('\n') + 1;
        if (end < text.length()) {
            Files.writeString(path, text.substring(0, end));
        }
        return text.substring(0, end).lines().toList();
    }

    private void add(JsonNode line) {
        Map<String, Long> counts = new LinkedHashMap<>();
        line.required("counts")
                .properties()
                .forEach(each -> counts.put(each.getKey(), each.getValue().asLong()));
        TrialSummary trial = new TrialSummary(
                line.required("protocol").asString(),
                line.required("seed").asLong(),
                line.required("transactions").asLong(),
                counts,
                line.required("anomaly").asString());
        done.put(new Key(trial.protocol(), trial.seed()), trial);
    }

    /** What came of a trial that was done before this file was opened; null if it was not. */
    public TrialSummary find(String protocol, long seed) {
        return done.get(new Key(protocol, seed));
    }

    /**
     * Adds a trial. May be called by any thread.
     *
     * @throws UncheckedIOException when the file can't be written
     */
    public synchronized void append(TrialSummary trial) {
        ObjectNode line = JSON.createObjectNode()
                .put("protocol", trial.protocol())
                .put("seed", trial.seed())
                .put("transactions", trial.transactions());
        ObjectNode counts = line.putObject("counts");
        trial.counts().forEach(counts::put);
        line.put("anomaly", trial.anomaly());
        try {
            Files.write(path, (line + "\n").getBytes(StandardCharsets.UTF_8), StandardOpenOption.APPEND);
        } catch (IOException e) {
            throw new UncheckedIOException(path + " can't be written", e);
        }
    }
}
