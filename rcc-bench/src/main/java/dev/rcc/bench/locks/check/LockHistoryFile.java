package dev.rcc.bench.locks.check;

import dev.rcc.bench.history.BadHistory;
import dev.rcc.bench.locks.check.LockHistory.Pass;
import dev.rcc.bench.locks.check.LockHistory.Promises;
import dev.rcc.bench.locks.check.LockHistory.Request;
import dev.rcc.protocols.locks.LockMode;
import dev.rcc.protocols.locks.LockOutcome;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Histories of locks as JSON of the format {@value #FORMAT}; compressed if the name ends in {@code .gz}. */
public final class LockHistoryFile {
    /** The name of the format, which is the first value in the file. */
    public static final String FORMAT = "rcc-locks";

    private static final int VERSION = 1;
    private static final JsonMapper JSON = new JsonMapper();

    private LockHistoryFile() {}

    private static InputStream open(Path file) throws IOException {
        InputStream in = Files.newInputStream(file);
        return file.toString().endsWith(".gz") ? new GZIPInputStream(in) : in;
    }

    /** Whether a file has this format. */
    public static boolean isOne(Path file) throws IOException {
        try (InputStream in = open(file);
                JsonParser parser = JSON.createParser(in)) {
            return parser.nextToken() == JsonToken.START_OBJECT
                    && "format".equals(parser.nextName())
                    && FORMAT.equals(parser.nextStringValue());
        } catch (JacksonException | ZipException | EOFException e) {
            return false;
        }
    }

    /** Writes a history. */
    public static void write(LockHistory history, Path file) throws IOException {
        ObjectNode root = JSON.createObjectNode().put("format", FORMAT).put("version", VERSION);
        root.put("scheme", history.scheme());
        Promises promises = history.promises();
        root.putObject("promises")
                .put("exclusion", promises.exclusion())
                .put("order", promises.order())
                .put("overtakings", promises.overtakings())
                .put("placed-ns", promises.placedNanos());
        ArrayNode requests = root.putArray("requests");
        history.requests().forEach(request -> requests.add(toJson(request)));
        ArrayNode waiting = root.putArray("waiting");
        history.waiting().forEach(waiting::add);
        OutputStream out = Files.newOutputStream(file);
        try (OutputStream compressed = file.toString().endsWith(".gz") ? new GZIPOutputStream(out) : out) {
            JSON.writeValue(compressed, root);
        }
    }

    private static ObjectNode toJson(Request request) {
        ObjectNode json = JSON.createObjectNode()
                .put("requester", request.requester())
                .put("round", request.round())
                .put("lock", request.lock())
                .put("mode", request.mode().name())
                .put("lease-ns", request.leaseNanos())
                .put("requested", request.requestNanos())
                .put("granted", request.grantNanos())
                .put("upgraded", request.upgradeNanos())
                .put("ended", request.endNanos())
                .put("token", request.token())
                .put("lost", request.wasLost());
        if (request.outcome() != null) {
            json.put("outcome", request.outcome().name());
        }
        ArrayNode passes = json.putArray("passes");
        for (Pass pass : request.passes()) {
            passes.addObject()
                    .put("at", pass.nanos())
                    .put("write", pass.isWrite())
                    .put("accepted", pass.isAccepted());
        }
        return json;
    }

    /**
     * Reads a history.
     *
     * @throws IllegalArgumentException when the file has another format, or lacks a value
     */
    public static LockHistory read(Path file) throws IOException {
        try (InputStream in = open(file)) {
            JsonNode root = JSON.readTree(in);
            String format = root.path("format").asString("");
            if (!format.equals(FORMAT) || root.path("version").asInt(0) != VERSION) {
                throw new IllegalArgumentException("format and version: got '" + format + "' "
                        + root.path("version").asInt(0) + ", allowed: " + FORMAT + " " + VERSION);
            }
            JsonNode promises = root.required("promises");
            List<Request> requests = new ArrayList<>();
            root.required("requests").forEach(json -> requests.add(ofJson(json)));
            List<Long> waiting = new ArrayList<>();
            root.required("waiting").forEach(json -> waiting.add(json.asLong()));
            return new LockHistory(
                    root.required("scheme").asString(),
                    new Promises(
                            promises.required("exclusion").asBoolean(),
                            promises.required("order").asBoolean(),
                            promises.required("overtakings").asInt(),
                            promises.required("placed-ns").asLong()),
                    requests,
                    waiting);
        } catch (JacksonException | IllegalArgumentException e) {
            if (BadHistory.isCutOff(e)) {
                throw BadHistory.cutOff(file.toString(), e);
            }
            throw new IllegalArgumentException(file + ": not a history of locks: " + e.getMessage(), e);
        }
    }

    private static Request ofJson(JsonNode json) {
        List<Pass> passes = new ArrayList<>();
        json.required("passes")
                .forEach(pass -> passes.add(new Pass(
                        pass.required("at").asLong(),
                        pass.required("write").asBoolean(),
                        pass.required("accepted").asBoolean())));
        return new Request(
                json.required("requester").asInt(),
                json.required("round").asInt(),
                json.required("lock").asLong(),
                LockMode.valueOf(json.required("mode").asString()),
                json.required("lease-ns").asLong(),
                json.required("requested").asLong(),
                json.required("granted").asLong(),
                json.required("upgraded").asLong(),
                json.required("ended").asLong(),
                json.has("outcome") ? LockOutcome.valueOf(json.get("outcome").asString()) : null,
                json.required("token").asLong(),
                json.required("lost").asBoolean(),
                passes);
    }
}
