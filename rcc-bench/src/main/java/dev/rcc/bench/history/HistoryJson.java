package dev.rcc.bench.history;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.TreeMap;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.ZipException;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.ObjectWriteContext;
import tools.jackson.core.TokenStreamLocation;
import tools.jackson.core.exc.JacksonIOException;
import tools.jackson.core.json.JsonFactory;

/**
 * Histories as JSON, read and written as a stream. docs/checker.md describes the format. A transaction is a line, so that
 * people can read a file with common tools.
 */
final class HistoryJson {
    private static final JsonFactory FACTORY = new JsonFactory();
    private static final String FORMAT = "rcc-history";
    private static final int BUFFER_BYTES = 1 << 16;
    private static final int LONG_DIGITS = 18;

    private final JsonParser json;
    private final HistoryBuilder builder = new HistoryBuilder();
    private byte[] utf8 = new byte[64];
    private long[] elements = new long[16];

    private HistoryJson(JsonParser json) {
        this.json = json;
    }

    // ---- writing ---------------------------------------------------------------------------------------------------

    static void write(History history, Path file) throws IOException {
        try (OutputStream out = output(file)) {
            write(history, out);
        } catch (JacksonException e) {
            throw new IOException("cannot write " + file + ": " + e.getOriginalMessage(), e);
        }
    }

    static OutputStream output(Path file) throws IOException {
        OutputStream out = Files.newOutputStream(file);
        return new BufferedOutputStream(
                isCompressed(file) ? new GZIPOutputStream(out, BUFFER_BYTES) : out, BUFFER_BYTES);
    }

    private static boolean isCompressed(Path file) {
        return file.toString().endsWith(".gz");
    }

    private static void write(History history, OutputStream out) {
        try (JsonGenerator json = FACTORY.createGenerator(ObjectWriteContext.empty(), out)) {
            json.writeStartObject();
            json.writeName("format");
            json.writeString(FORMAT);
            json.writeName("version");
            json.writeNumber(1);
            if (history.initialVersion != 0) {
                json.writeName("initial");
                json.writeNumber(Long.toUnsignedString(history.initialVersion));
            }
            if (!history.isComplete()) {
                json.writeName("incomplete");
                json.writeString(history.incomplete());
            }
            json.writeName("transactions");
            json.writeStartArray();
            for (int t = 0; t < history.size(); t++) {
                json.writeRaw('\n');
                write(history, t, json);
            }
            json.writeRaw('\n');
            json.writeEndArray();
            writeOrders(history, json);
            json.writeEndObject();
            json.writeRaw('\n');
        }
    }

    private static void write(History history, int t, JsonGenerator json) {
        json.writeStartObject();
        json.writeName("id");
        json.writeUTF8String(history.names.bytes(), history.names.start(t), history.names.length(t));
        if (!history.process(t).isEmpty()) {
            json.writeName("process");
            json.writeString(history.process(t));
        }
        if (history.startNanos(t) != History.NO_TIME) {
            json.writeName("start");
            json.writeNumber(history.startNanos(t));
        }
        if (history.endNanos(t) != History.NO_TIME) {
            json.writeName("end");
            json.writeNumber(history.endNanos(t));
        }
        if (history.status(t) != Status.COMMITTED) {
            json.writeName("status");
            json.writeString(history.status(t).label());
        }
        json.writeName("ops");
        json.writeStartArray();
        for (int op = history.opsFrom(t); op < history.opsFrom(t + 1); op++) {
            op = writeOp(history, op, history.opsFrom(t + 1), json);
        }
        json.writeEndArray();
        json.writeEndObject();
    }

    /** Returns the last operation written: for a scan, the last key that it found. */
    private static int writeOp(History history, int op, int end, JsonGenerator json) {
        int key = history.key(op);
        json.writeStartArray();
        int last = op;
        if (history.kind(op) == Op.SCAN) {
            json.writeString("s");
            json.writeString(history.scan(key).from());
            if (history.scan(key).to() == null) {
                json.writeNull();
            } else {
                json.writeString(history.scan(key).to());
            }
            json.writeStartArray();
            while (last + 1 < end && history.kind(last + 1) == Op.SCANNED) {
                last++;
                json.writeStartArray();
                writeKey(history, last, json);
                writeVersion(history.version(last), json);
                json.writeEndArray();
            }
            json.writeEndArray();
        } else {
            boolean isList = history.isList(key);
            boolean isWrite = Op.isWrite(history.kind(op));
            json.writeString(isList && isWrite ? "a" : Op.SYMBOLS.get(history.kind(op)));
            writeKey(history, op, json);
            if (isList && !isWrite) {
                writeVersions(history.listRead(op), json);
            } else {
                writeVersion(history.version(op), json);
            }
        }
        json.writeEndArray();
        return last;
    }

    private static void writeKey(History history, int op, JsonGenerator json) {
        int key = history.key(op);
        json.writeUTF8String(history.keys.bytes(), history.keys.start(key), history.keys.length(key));
    }

    private static void writeOrders(History history, JsonGenerator json) {
        TreeMap<String, long[]> orders = new TreeMap<>();
        history.orders.forEach((key, order) -> {
            if (!history.isList(key)) {
                orders.put(history.keyName(key), order);
            }
        });
        if (orders.isEmpty()) {
            return;
        }
        json.writeName("orders");
        json.writeStartObject();
        orders.forEach((key, order) -> {
            json.writeRaw('\n');
            json.writeName(key);
            writeVersions(order, json);
        });
        json.writeEndObject();
    }

    private static void writeVersions(long[] versions, JsonGenerator json) {
        json.writeStartArray();
        for (long version : versions) {
            writeVersion(version, json);
        }
        json.writeEndArray();
    }

    private static void writeVersion(long version, JsonGenerator json) {
        if (version >= 0) {
            json.writeNumber(version);
        } else {
            json.writeNumber(Long.toUnsignedString(version));
        }
    }

    // ---- reading ---------------------------------------------------------------------------------------------------

    static History read(Path file) throws IOException {
        try (InputStream in = new BufferedInputStream(
                        isCompressed(file)
                                ? new GZIPInputStream(Files.newInputStream(file), BUFFER_BYTES)
                                : Files.newInputStream(file),
                        BUFFER_BYTES);
                JsonParser json = FACTORY.createParser(ObjectReadContext.empty(), in)) {
            return read(file, json);
        } catch (EOFException | JacksonIOException e) { // within the header, or the first bytes
            if (BadHistory.isCutOff(e)) {
                throw BadHistory.cutOff(file.toString(), e);
            }
            throw e;
        } catch (ZipException e) {
            throw new BadHistory(
                    file + ": got a file that is not compressed, allowed: gzip, since its name ends in .gz", e);
        }
    }

    private static History read(Path file, JsonParser json) {
        HistoryJson reader = new HistoryJson(json);
        try {
            reader.document();
        } catch (JacksonException e) {
            TokenStreamLocation at = e.getLocation() == null ? json.currentLocation() : e.getLocation();
            if (BadHistory.isCutOff(e)) {
                throw BadHistory.cutOff(place(file, at), e);
            }
            throw new BadHistory(
                    place(file, at) + ": got no JSON, allowed: JSON (" + firstLine(e.getOriginalMessage()) + ")", e);
        } catch (BadHistory e) {
            throw new BadHistory(place(file, json.currentTokenLocation()) + ": " + e.getMessage(), e);
        }
        try {
            return reader.builder.build();
        } catch (BadHistory e) {
            throw new BadHistory(file + ": " + e.getMessage(), e);
        }
    }

    private static String place(Path file, TokenStreamLocation at) {
        return file + ", line " + at.getLineNr() + ", column " + at.getColumnNr();
    }

    private static String firstLine(String text) {
        return text.lines().findFirst().orElse("");
    }

    private void document() {
        expect(json.nextToken(), JsonToken.START_OBJECT, "history", "an object");
        boolean isFormatKnown = false;
        boolean hasTransactions = false;
        for (String name = json.nextName(); name != null; name = json.nextName()) {
            json.nextToken();
            switch (name) {
                case "format" -> {
                    if (!FORMAT.equals(text("format", '"' + FORMAT + '"'))) {
                        throw got("format", '"' + FORMAT + '"');
                    }
                    isFormatKnown = true;
                }
                case "version" -> {
                    if (number("version", "1") != 1) {
                        throw got("version", "1");
                    }
                }
                case "initial" -> builder.initialVersion(number("initial", "a version"));
                case "incomplete" -> builder.incomplete(text("incomplete", "why transactions are missing"));
                case "transactions" -> {
                    hasTransactions = true;
                    transactions();
                }
                case "orders" -> orders();
                default ->
                    throw new BadHistory("got '" + name + "', allowed: format, version, initial, incomplete,"
                            + " transactions, orders");
            }
        }
        if (!isFormatKnown || !hasTransactions) {
            throw new BadHistory("got no " + (isFormatKnown ? "transactions" : "format")
                    + ", allowed: an object with \"format\": \"" + FORMAT + "\" and \"transactions\"");
        }
        if (json.nextToken() != null) {
            throw got("end of the history", "nothing more");
        }
    }

    private void transactions() {
        expect(json.currentToken(), JsonToken.START_ARRAY, "transactions", "an array of transactions");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            transaction();
        }
    }

    // The operations come last, so that a file is read in one pass.
    private void transaction() {
        expect(json.currentToken(), JsonToken.START_OBJECT, "transaction", "an object with \"id\" and, last, \"ops\"");
        String id = null;
        String process = "";
        long start = History.NO_TIME;
        long end = History.NO_TIME;
        Status status = Status.COMMITTED;
        String name = json.nextName();
        for (; name != null && !"ops".equals(name); name = json.nextName()) {
            json.nextToken();
            switch (name) {
                case "id" -> id = textOrNumber("id");
                case "process" -> process = textOrNumber("process");
                case "start" -> start = time("start");
                case "end" -> end = time("end");
                case "status" -> status = Status.ofLabel(text("status", "a text"));
                default ->
                    throw new BadHistory("transaction: got '" + name + "', allowed: id, process, start, end, status,"
                            + " and last ops");
            }
        }
        if (id == null || name == null) {
            throw new BadHistory("transaction: got no " + (id == null ? "id before its ops" : "ops")
                    + ", allowed: an object with \"id\" and, last, \"ops\"");
        }
        builder.begin(id, process, start, end, status);
        expect(json.nextToken(), JsonToken.START_ARRAY, "ops", "an array of operations");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            operation();
        }
        expect(json.nextToken(), JsonToken.END_OBJECT, "transaction", "nothing after its ops");
    }

    private void operation() {
        expect(json.currentToken(), JsonToken.START_ARRAY, "operation", "an array such as [\"r\", \"x\", 1]");
        json.nextToken();
        String symbol = text("operation", "a text");
        int kind = Op.SYMBOLS.indexOf(symbol);
        if (kind < 0 && !"a".equals(symbol)) {
            throw new BadHistory(
                    "operation: got '" + symbol + "', allowed: one of " + String.join(", ", Op.SYMBOLS) + ", a");
        }
        json.nextToken();
        switch (symbol) {
            case "s" -> scan();
            case "a" -> {
                String key = text("key", "a text");
                json.nextToken();
                builder.append(key, number("element", "a number"));
            }
            default -> {
                int key = key();
                if (json.nextToken() == JsonToken.START_ARRAY && kind == Op.READ) {
                    builder.readList(builder.keys.get(key), numbers("element"));
                } else {
                    builder.add(kind, key, number("version", "a number"));
                }
            }
        }
        expect(json.nextToken(), JsonToken.END_ARRAY, "operation", "nothing more in it");
    }

    private void scan() {
        String from = text("key", "a text");
        json.nextToken();
        builder.scan(from, json.currentToken() == JsonToken.VALUE_NULL ? null : text("key", "a text or null"));
        expect(json.nextToken(), JsonToken.START_ARRAY, "scan", "an array of what it found");
        while (json.nextToken() != JsonToken.END_ARRAY) {
            expect(json.currentToken(), JsonToken.START_ARRAY, "scan", "an array such as [\"x\", 1]");
            json.nextToken();
            String key = text("key", "a text");
            json.nextToken();
            builder.found(key, number("version", "a number"));
            expect(json.nextToken(), JsonToken.END_ARRAY, "scan", "nothing more in a key's array");
        }
    }

    private void orders() {
        expect(json.currentToken(), JsonToken.START_OBJECT, "orders", "an object of keys");
        for (String key = json.nextName(); key != null; key = json.nextName()) {
            expect(json.nextToken(), JsonToken.START_ARRAY, "orders", "an array of versions");
            builder.order(key, numbers("version"));
        }
    }

    private long[] numbers(String what) {
        int size = 0;
        while (json.nextToken() != JsonToken.END_ARRAY) {
            if (size == elements.length) {
                elements = Arrays.copyOf(elements, size * 2);
            }
            elements[size++] = number(what, "a number");
        }
        return Arrays.copyOf(elements, size);
    }

    /** The key's number; most keys are known and plain ASCII, and cause no garbage. */
    private int key() {
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw got("key", "a text");
        }
        char[] chars = json.getStringCharacters();
        int offset = json.getStringOffset();
        int length = json.getStringLength();
        if (utf8.length < length) {
            utf8 = new byte[length * 2];
        }
        for (int i = 0; i < length; i++) {
            char c = chars[offset + i];
            if (c >= 0x80) {
                return builder.keys.intern(json.getString());
            }
            utf8[i] = (byte) c;
        }
        return builder.keys.intern(utf8, length);
    }

    private String text(String what, String allowed) {
        if (json.currentToken() != JsonToken.VALUE_STRING) {
            throw got(what, allowed);
        }
        return json.getString();
    }

    private String textOrNumber(String what) {
        return json.currentToken() == JsonToken.VALUE_NUMBER_INT ? json.getString() : text(what, "a text or a number");
    }

    private long time(String what) {
        try {
            return Long.parseLong(json.currentToken() == JsonToken.VALUE_NUMBER_INT ? json.getString() : "");
        } catch (NumberFormatException e) {
            throw got(what, "nanoseconds, a signed 64-bit integer");
        }
    }

    private long number(String what, String allowed) {
        if (json.currentToken() == JsonToken.VALUE_NUMBER_INT) {
            if (json.getStringLength() <= LONG_DIGITS && json.getLongValue() >= 0) {
                return json.getLongValue();
            }
            try {
                return Long.parseUnsignedLong(json.getString());
            } catch (NumberFormatException e) {
                // Reported below, with all other values that are not versions.
            }
        }
        throw got(what, allowed + ", from 0 to " + Long.toUnsignedString(-1));
    }

    private void expect(JsonToken given, JsonToken wanted, String what, String allowed) {
        if (given != wanted) {
            throw got(what, allowed);
        }
    }

    private BadHistory got(String what, String allowed) {
        JsonToken token = json.currentToken();
        String given = token == null
                ? "the end of the file"
                : token.isScalarValue()
                        ? json.getString()
                        : switch (token) {
                            case START_OBJECT -> "an object";
                            case START_ARRAY -> "an array";
                            case PROPERTY_NAME -> json.currentName();
                            default -> "the end of it";
                        };
        return new BadHistory(what + ": got '" + given + "', allowed: " + allowed);
    }
}
