package dev.rcc.bench.shell;

import dev.rcc.client.CommitOutcome;
import dev.rcc.client.CommitTicket;
import dev.rcc.client.Entry;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.GatewayStatus;
import dev.rcc.client.KeyRange;
import dev.rcc.client.OpenTransaction;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.client.TableDescription;
import dev.rcc.client.Transaction;
import dev.rcc.client.TransactionOutcomeUnknownException;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Executes commands. Each is a transaction of its own, or part of the transaction that {@code begin} began.
 *
 * <p>A transaction in which a command has failed takes no further reads or writes until {@code commit} or {@code abort}, so that no
 * part of it takes effect alone. In a script every failure has this effect, also that of {@code begin} itself; a user at a terminal may
 * correct a mistake and go on.
 */
public final class Shell implements AutoCloseable {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final int SCAN_LIMIT = 100;
    private static final int SCAN_LIMIT_MAX = 1_000_000;
    private static final String LIMIT = "limit";
    private static final String DESCENDING = "descending";
    private static final String ON = "on";
    private static final String OFF = "off";
    private static final String JSON = "json";
    private static final String TEXT = "text";
    /** A line, not split into words, in which a transaction may begin. */
    private static final Pattern BEGINS = Pattern.compile("(.*;)?\\s*begin\\b.*", Pattern.CASE_INSENSITIVE);

    private static final double NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    /** The state of the transaction. */
    private enum State {
        /** There is no transaction: each command is one. */
        NONE,
        /** The transaction is open. */
        OPEN,
        /** A command in it, or its begin, has failed: the transaction has been aborted, and waits for its end in the script. */
        FAILED
    }

    private final RccClient client;
    private final LockCommands locks;
    private final PrintWriter out;
    private final PrintWriter err;
    private final boolean isInteractive;
    private boolean isJson;
    private boolean isTimed;
    private State state = State.NONE;
    private OpenTransaction txn;
    /** The ticket of the last commit whose outcome is not known, or null. */
    private CommitTicket ticket;

    private boolean ended;

    /**
     * Creates a shell.
     *
     * @param out where answers go
     * @param err where sentences about failures go
     * @param isInteractive whether a user types the commands
     */
    public Shell(RccClient client, PrintWriter out, PrintWriter err, boolean isInteractive) {
        this.client = client;
        this.locks = new LockCommands(client);
        this.out = out;
        this.err = err;
        this.isInteractive = isInteractive;
    }

    /** Chooses between JSON, one object a line, and text for the following output. */
    public void printJson(boolean on) {
        isJson = on;
    }

    /** Chooses whether the time of each command is printed from now on. */
    public void printTimes(boolean on) {
        isTimed = on;
    }

    /** Whether the command {@code exit} was executed. */
    public boolean hasEnded() {
        return ended;
    }

    /** The state of the transaction, one word; empty if there is none. */
    public String transaction() {
        return state == State.NONE ? "" : state.name().toLowerCase(Locale.ROOT);
    }

    /** The names of the cluster's tables. */
    public List<String> tableNames() {
        return client.tables().stream().map(TableDescription::name).toList();
    }

    // ---- lines and commands ----------------------------------------------------------------------------------------

    /**
     * Runs a script to its end, or to the first command that fails.
     *
     * @param keepsGoing whether to go on after failed commands
     * @return {@link ExitCode#OK}, or the exit code of the first failure
     */
    public ExitCode run(BufferedReader script, boolean keepsGoing) throws IOException {
        ExitCode result = ExitCode.OK;
        int number = 0;
        for (String line = script.readLine(); line != null && !ended; line = script.readLine()) {
            number++;
            result = first(result, execute(line, "line " + number, keepsGoing));
            if (result != ExitCode.OK && !keepsGoing) {
                break;
            }
        }
        return first(result, end("line " + number));
    }

    /**
     * Executes the commands of a line, up to the first that fails.
     *
     * @param where the place of the line, for the sentences about failures; may be empty
     * @param keepsGoing whether to go on after failed commands
     * @return {@link ExitCode#OK}, or the exit code of the first failure
     */
    public ExitCode execute(String line, String where, boolean keepsGoing) {
        List<List<Word>> commands;
        try {
            commands = Word.split(line);
        } catch (BadCommand e) {
            return fail(where, "", BEGINS.matcher(line).matches(), e);
        }
        ExitCode result = ExitCode.OK;
        for (List<Word> words : commands) {
            result = first(result, execute(words, where));
            if (ended || (result != ExitCode.OK && !keepsGoing)) {
                break;
            }
        }
        return result;
    }

    /** Aborts the transaction if one is open, which is a failure in a script. */
    public ExitCode end(String where) {
        boolean isOpen = state == State.OPEN;
        abortIfOpen();
        if (!isOpen) {
            return ExitCode.OK;
        }
        tell(
                where,
                "",
                ExitCode.FAILED.name(),
                "the transaction was open at the end: it was aborted, and has no effect");
        return ExitCode.FAILED;
    }

    /** Aborts the transaction if one is open, and releases all locks. */
    @Override
    public void close() {
        abortIfOpen();
        locks.close();
    }

    private void abortIfOpen() {
        if (txn != null) {
            txn.abort();
            txn = null;
        }
        state = State.NONE;
    }

    private static ExitCode first(ExitCode before, ExitCode now) {
        return before == ExitCode.OK ? now : before;
    }

    private ExitCode execute(List<Word> words, String where) {
        String name = "";
        boolean begins = false;
        try {
            ShellCommand command = ShellCommand.of(words.getFirst());
            name = command.word();
            begins = command == ShellCommand.BEGIN;
            command.checkArguments(words.size() - 1);
            long begun = System.nanoTime();
            Answer answer = answer(command, words.subList(1, words.size()));
            print(command, answer, System.nanoTime() - begun);
            return ExitCode.OK;
        } catch (BadCommand | IllegalArgumentException e) { // the latter: the client does not allow one of the words
            return fail(where, name, begins, e);
        } catch (RccException e) {
            failTransaction(begins, e.code() == ErrorCode.ALREADY_EXISTS);
            String more = "";
            if (e instanceof TransactionOutcomeUnknownException unknown) {
                ticket = unknown.ticket();
                more = " (in this shell: 'outcome')";
            }
            tell(where, name, e.code().name(), e.getMessage() + more);
            return ExitCode.of(e.code());
        }
    }

    private ExitCode fail(String where, String command, boolean begins, RuntimeException e) {
        failTransaction(begins, true);
        tell(where, command, ExitCode.BAD_INPUT.name(), e.getMessage());
        return ExitCode.BAD_INPUT;
    }

    /**
     * Fails the transaction, if one is open, unless the transaction can go on and a user at a terminal can decide that it should.
     *
     * @param begins whether the failed command was to begin a transaction: in a script, the following commands are not executed without it
     */
    private void failTransaction(boolean begins, boolean canGoOn) {
        boolean failsOpen = state == State.OPEN && !(canGoOn && isInteractive);
        boolean failsNext = state == State.NONE && begins && !isInteractive;
        if (failsOpen || failsNext) {
            abortIfOpen();
            state = State.FAILED;
        }
    }

    // ---- printed output -------------------------------------------------------------------------------------------

    private void print(ShellCommand command, Answer answer, long nanos) {
        if (isJson) {
            ObjectNode object = MAPPER.createObjectNode();
            object.put("command", command.word());
            answer.json().accept(object);
            if (isTimed) {
                object.put("millis", nanos / NANOS_PER_MILLI);
            }
            out.println(MAPPER.writeValueAsString(object));
        } else {
            if (isInteractive || !answer.isOnlyDone()) {
                out.println(answer.text());
            }
            if (isTimed) {
                out.println("(" + millis(nanos) + ")");
            }
        }
        out.flush();
    }

    private void tell(String where, String command, String code, String message) {
        if (isJson) {
            ObjectNode object = MAPPER.createObjectNode();
            object.put("command", command).put("error", code).put("message", message);
            if (!where.isEmpty()) {
                object.put("where", where);
            }
            out.println(MAPPER.writeValueAsString(object));
            out.flush();
        }
        if (!isJson || !isInteractive) {
            err.println((isInteractive ? "" : "rcc client: ")
                    + (where.isEmpty() ? "" : where + ": ")
                    + (command.isEmpty() ? "" : command + ": ")
                    + message);
            err.flush();
        }
    }

    private static String millis(long nanos) {
        return String.format(Locale.ROOT, "%.2f ms", nanos / NANOS_PER_MILLI);
    }

    // ---- the commands ----------------------------------------------------------------------------------------------

    private Answer answer(ShellCommand command, List<Word> arguments) {
        if (state == State.FAILED && !command.isAboutTheShell()) {
            throw BadCommand.given(
                    "the transaction has failed and has no effect",
                    "'" + command.word() + "'",
                    "abort (or commit, which fails), and whatever touches no record");
        }
        return switch (command) {
            case BEGIN -> begin();
            case COMMIT -> commit();
            case ABORT -> abort();
            case OUTCOME -> outcome();
            case GET -> get(table(arguments), arguments);
            case PUT, INSERT -> write(command, table(arguments), arguments);
            case DELETE -> delete(table(arguments), arguments);
            case SCAN -> scan(table(arguments), arguments);
            case TABLES -> tables();
            case STATUS -> status();
            case USAGE ->
                AdministratorCommands.usage(client, table(arguments).about().name());
            case SESSIONS -> AdministratorCommands.sessions(client);
            case DISCONNECT -> AdministratorCommands.disconnect(client, arguments);
            case LOCK -> locks.lock(arguments);
            case UNLOCK -> locks.unlock(arguments);
            case LOCKS -> locks.locks(arguments);
            case TIMING -> {
                printTimes(choice("argument", arguments.getFirst(), ON, OFF));
                yield Answer.done("timing is " + arguments.getFirst().text());
            }
            case FORMAT -> {
                printJson(choice("argument", arguments.getFirst(), JSON, TEXT));
                yield Answer.done("format is " + arguments.getFirst().text());
            }
            case HELP -> help(arguments);
            case EXIT -> {
                ended = true;
                yield Answer.done(
                        state == State.OPEN ? "the transaction was open: it is aborted, and has no effect" : "bye");
            }
        };
    }

    private static boolean choice(String what, Word given, String yes, String no) {
        if (given.is(yes) || given.is(no)) {
            return given.is(yes);
        }
        throw BadCommand.given(what, given.toString(), yes + " or " + no);
    }

    private OpenedTable<?> table(List<Word> arguments) {
        String name = arguments.getFirst().text();
        List<TableDescription> tables = client.tables();
        return tables.stream()
                .filter(table -> table.name().equals(name))
                .findFirst()
                .map(OpenedTable::of)
                .orElseThrow(() -> BadCommand.given(
                        "table",
                        arguments.getFirst().toString(),
                        tables.isEmpty() ? "none, for the cluster has no tables" : names(tables, table -> true)));
    }

    private static String names(List<TableDescription> tables, Predicate<TableDescription> which) {
        return tables.stream().filter(which).map(TableDescription::name).collect(Collectors.joining(", "));
    }

    private Answer begin() {
        if (state != State.NONE) {
            throw new BadCommand("there is a transaction already: end it by commit or abort");
        }
        GatewayStatus gateway = client.gateways().stream()
                .filter(GatewayStatus::isReachable)
                .findFirst()
                .orElse(null);
        txn = gateway == null ? client.begin() : client.begin(gateway.transactionMax());
        state = State.OPEN;
        return Answer.done(
                gateway == null
                        ? "open"
                        : "open; it is aborted after " + gateway.idleMax().toSeconds() + " s without a command, or "
                                + gateway.transactionMax().toSeconds() + " s in all");
    }

    private Answer commit() {
        checkTransaction();
        if (state == State.FAILED) {
            state = State.NONE;
            throw new BadCommand("the transaction had failed before: it was aborted, and has no effect");
        }
        OpenTransaction last = txn;
        txn = null;
        state = State.NONE;
        last.commit();
        return Answer.done("committed");
    }

    private Answer abort() {
        checkTransaction();
        abortIfOpen();
        return Answer.done("aborted");
    }

    private Answer outcome() {
        if (ticket == null) {
            throw new BadCommand("there was no commit in this shell whose outcome is unknown");
        }
        CommitOutcome outcome = client.outcomeOf(ticket);
        return Answer.of(
                switch (outcome) {
                    case COMMITTED -> "committed: all of it has taken effect";
                    case NOT_COMMITTED -> "not committed: it has no effect, and never will have";
                    case UNKNOWN -> "unknown: no node remembers it";
                },
                object -> object.put("outcome", outcome.name())
                        .put("commit", ticket.id().toString()));
    }

    private void checkTransaction() {
        if (state == State.NONE) {
            throw new BadCommand("there is no transaction: it takes a 'begin' first");
        }
    }

    private <T> T read(Function<Transaction, T> body) {
        return txn == null ? client.read(body) : body.apply(txn);
    }

    private <T> T write(Function<Transaction, T> body) {
        return txn == null ? client.transact(body) : body.apply(txn);
    }

    private <K> Answer get(OpenedTable<K> table, List<Word> arguments) {
        K key = table.key().apply(arguments.get(1));
        boolean isUpdate = arguments.size() > 2;
        if (isUpdate && !arguments.get(2).is("update")) {
            throw BadCommand.given("third argument", arguments.get(2).toString(), "update, or nothing");
        }
        Optional<byte[]> record =
                isUpdate ? write(t -> t.getForUpdate(table.table(), key)) : read(t -> t.get(table.table(), key));
        return Answer.of(record.map(Notation::trim).map(Notation::show).orElse("(no record)"), object -> {
            table.json().into(object, key);
            object.put("found", record.isPresent());
            record.ifPresent(bytes -> put(object, "value", bytes));
        });
    }

    private <K> Answer write(ShellCommand command, OpenedTable<K> table, List<Word> arguments) {
        K key = table.key().apply(arguments.get(1));
        byte[] value = Notation.value(arguments.get(2), table.about());
        write(t -> {
            if (command == ShellCommand.PUT) {
                t.put(table.table(), key, value);
            } else {
                t.insert(table.table(), key, value);
            }
            return null;
        });
        return Answer.done(txn == null ? "done" : "done, if the transaction commits");
    }

    private <K> Answer delete(OpenedTable<K> table, List<Word> arguments) {
        K key = table.key().apply(arguments.get(1));
        boolean existed = write(t -> t.delete(table.table(), key));
        return Answer.of(existed ? "deleted" : "(no record)", object -> {
            table.json().into(object, key);
            object.put("found", existed);
        });
    }

    private <K> Answer scan(OpenedTable<K> table, List<Word> arguments) {
        if (!table.about().ordered()) {
            String ordered = names(client.tables(), TableDescription::ordered);
            throw BadCommand.given(
                    "table",
                    "'" + table.about().name() + "', which is not ordered",
                    ordered.isEmpty() ? "an ordered one, but the cluster has none" : ordered);
        }
        List<Word> bounds = arguments.subList(1, arguments.size());
        int limit = SCAN_LIMIT;
        int at = bounds.size() - 2;
        if (at >= 0 && bounds.get(at).is(LIMIT)) {
            limit = limit(bounds.getLast());
            bounds = bounds.subList(0, at);
        }
        boolean isDescending = !bounds.isEmpty() && bounds.getLast().is(DESCENDING);
        if (isDescending) {
            bounds = bounds.subList(0, bounds.size() - 1);
        }
        if (bounds.size() > 2) {
            throw BadCommand.given("keys", "three or more", "'" + ShellCommand.SCAN.usage() + "'");
        }
        List<K> keys = bounds.stream().map(table.key()).toList();
        KeyRange<K> range = switch (keys.size()) {
            case 0 -> KeyRange.all();
            case 1 -> KeyRange.from(keys.getFirst());
            default -> KeyRange.between(keys.getFirst(), keys.getLast());
        };
        KeyRange<K> ordered = isDescending ? range.descending() : range;
        int most = limit;
        List<Entry<K, byte[]>> records = read(t -> t.scan(table.table(), ordered, most));
        boolean mayBeMore = records.size() == most;
        StringBuilder text = new StringBuilder();
        for (Entry<K, byte[]> each : records) {
            text.append(table.show().apply(each.key()))
                    .append("  ")
                    .append(Notation.show(Notation.trim(each.value())))
                    .append('\n');
        }
        text.append('(').append(records.size()).append(records.size() == 1 ? " record" : " records");
        text.append(mayBeMore ? "; there may be more, see 'limit')" : ")");
        return Answer.of(text.toString(), object -> {
            ArrayNode array = object.putArray("records");
            for (Entry<K, byte[]> each : records) {
                ObjectNode record = array.addObject();
                table.json().into(record, each.key());
                put(record, "value", each.value());
            }
            object.put("may_be_more", mayBeMore);
        });
    }

    private static int limit(Word word) {
        try {
            int limit = word.quoted() ? 0 : Integer.parseInt(word.text());
            if (limit >= 1 && limit <= SCAN_LIMIT_MAX) {
                return limit;
            }
        } catch (NumberFormatException e) {
            // reported below
        }
        throw BadCommand.given(LIMIT, word.toString(), "an integer from 1 to " + SCAN_LIMIT_MAX);
    }

    private Answer tables() {
        List<TableDescription> tables = client.tables();
        List<String> lines = new ArrayList<>();
        if (tables.isEmpty()) {
            lines.add("(no tables: they are declared in the servers' configuration)");
        } else {
            int width = tables.stream()
                    .mapToInt(table -> table.name().length())
                    .max()
                    .orElse(0);
            String row = "%-" + Math.max(width, "table".length()) + "s  %-18s  %12s  %-7s  %-14s%s";
            lines.add(
                    String.format(Locale.ROOT, row, "table", "keys", "record bytes", "ordered", "distributed by", ""));
            tables.forEach(table -> lines.add(String.format(
                            Locale.ROOT,
                            row,
                            table.name(),
                            table.hasLongKeys() ? "64-bit integers" : "1 to " + table.keyBytesMax() + " bytes",
                            table.recordBytes(),
                            table.ordered() ? "yes" : "no",
                            table.distribution(),
                            index(table))
                    .stripTrailing()));
        }
        return Answer.of(String.join("\n", lines), object -> {
            ArrayNode array = object.putArray("tables");
            tables.forEach(table -> array.addObject()
                    .put("name", table.name())
                    .put("keys", table.hasLongKeys() ? "long" : "bytes")
                    .put("key_bytes_max", table.keyBytesMax())
                    .put("record_bytes", table.recordBytes())
                    .put("ordered", table.ordered())
                    .put("distribution", table.distribution())
                    .put("index_of", table.indexOf())
                    .put("unique", table.unique()));
        });
    }

    private static String index(TableDescription table) {
        return table.indexOf().isEmpty()
                ? ""
                : (table.unique() ? "  unique index of " : "  index of ") + table.indexOf();
    }

    private Answer status() {
        List<GatewayStatus> gateways = client.gateways();
        String transaction = state == State.NONE ? "none" : transaction();
        StringBuilder text = new StringBuilder();
        text.append(String.format(
                Locale.ROOT, "%-24s %-6s %-12s %-10s %s%n", "gateway", "node", "datacenter", "protocol", "answers in"));
        for (GatewayStatus gateway : gateways) {
            text.append(
                    gateway.isReachable()
                            ? String.format(
                                    Locale.ROOT,
                                    "%-24s %-6d %-12s %-10s %s%n",
                                    gateway.address(),
                                    gateway.node(),
                                    gateway.zone().isEmpty() ? "-" : gateway.zone(),
                                    gateway.protocol(),
                                    millis(gateway.roundTrip().toNanos()))
                            : String.format(Locale.ROOT, "%-24s %s%n", gateway.address(), gateway.problem()));
        }
        text.append("transaction: ").append(transaction);
        return Answer.of(text.toString(), object -> {
            ArrayNode array = object.putArray("gateways");
            gateways.forEach(gateway -> put(array.addObject(), gateway));
            object.put("transaction", transaction);
        });
    }

    private static void put(ObjectNode object, GatewayStatus gateway) {
        object.put("address", gateway.address()).put("reachable", gateway.isReachable());
        if (gateway.isReachable()) {
            object.put("node", gateway.node())
                    .put("datacenter", gateway.zone())
                    .put("protocol", gateway.protocol())
                    .put("round_trip_millis", gateway.roundTrip().toNanos() / NANOS_PER_MILLI);
        } else {
            object.put("problem", gateway.problem());
        }
    }

    private static Answer help(List<Word> arguments) {
        String text = arguments.isEmpty() ? helpOnAll() : helpOn(arguments.getFirst());
        return Answer.of(text, object -> object.put(TEXT, text));
    }

    private static String helpOnAll() {
        int width = Arrays.stream(ShellCommand.values())
                .mapToInt(command -> command.usage().length())
                .max()
                .orElse(0);
        String commands = Arrays.stream(ShellCommand.values())
                .map(command -> String.format(Locale.ROOT, "%-" + width + "s  %s", command.usage(), command.summary()))
                .collect(Collectors.joining("\n"));
        return commands
                + "\n\nKEY    42 or 0x2a in a table with 64-bit integers; otherwise \"text\", text or 0x74657874\n"
                + "VALUE  \"text\", text or 0x74657874; zeros follow up to the size of the table's records\n"
                + "A line may hold several commands, separated by ;  and # begins a comment.";
    }

    private static String helpOn(Word word) {
        ShellCommand command = ShellCommand.of(word);
        return command.usage() + "\n  " + command.summary() + (command.more().isEmpty() ? "" : "\n  " + command.more());
    }

    /** Puts bytes into an object: in hexadecimal, and as text if they are text. */
    static void put(ObjectNode object, String name, byte[] bytes) {
        ObjectNode value = object.putObject(name);
        Notation.text(Notation.trim(bytes)).ifPresent(text -> value.put(TEXT, text));
        value.put("hex", Notation.hex(bytes));
    }
}
