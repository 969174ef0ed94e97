package dev.rcc.bench.shell;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** The shell's commands: their usage, and their effects. */
enum ShellCommand {
    /** Begins a transaction. */
    BEGIN(
            "begin",
            0,
            0,
            "begins a transaction: what follows is part of it, until commit or abort",
            "Without it, each command is a transaction of its own, which is tried again after a conflict."),
    /** Commits. */
    COMMIT("commit", 0, 0, "ends the transaction: all of it takes effect at once, or nothing does"),
    /** Aborts. */
    ABORT("abort", 0, 0, "gives the transaction up: it has no effect"),
    /** Asks for the outcome of a commit. */
    OUTCOME("outcome", 0, 0, "asks again for the outcome of the last commit whose outcome is unknown"),
    /** Reads a record. */
    GET(
            "get TABLE KEY [update]",
            2,
            3,
            "shows a record",
            "With 'update' it is read to be written: no other transaction can write it in between, where the protocol takes locks."),
    /** Writes a record. */
    PUT("put TABLE KEY VALUE", 3, 3, "writes a record, whether there was one or not"),
    /** Adds a record. */
    INSERT("insert TABLE KEY VALUE", 3, 3, "adds a record; fails if the key has one"),
    /** Removes a record. */
    DELETE("delete TABLE KEY", 2, 2, "removes a record, and says whether there was one"),
    /** Reads a range. */
    SCAN(
            "scan TABLE [FROM [LAST]] [descending] [limit N]",
            1,
            6,
            "shows the records of a range of an ordered table, both ends included",
            "At most 100 of them, unless a limit says otherwise; the first ones, or the last ones, the greatest key first. A key"
                    + " that is called limit or descending goes in quotes."),
    /** Shows the tables. */
    TABLES("tables", 0, 0, "shows the tables, their kinds of keys and the size of their records"),
    /** Shows the gateways. */
    STATUS("status", 0, 0, "shows the gateways, whether they answer, and the state of the transaction"),
    /** Counts records. */
    USAGE(
            "usage TABLE",
            1,
            1,
            "shows how many records a table has, and for how many there is room",
            "For users with the role admin on the table."),
    /** Shows connections. */
    SESSIONS(
            "sessions",
            0,
            0,
            "shows who is connected, to which gateway, and with how many open transactions",
            "For users with the role admin on all tables."),
    /** Ends a connection. */
    DISCONNECT(
            "disconnect GATEWAY NUMBER",
            2,
            2,
            "closes the connection with this number at this gateway, whatever is open on it",
            "For users with the role admin on all tables. The client may connect again."),
    /** Waits for a lock. */
    LOCK(
            "lock NAMESPACE NAME [shared|update|exclusive] [wait SECONDS] [lease SECONDS]",
            2,
            7,
            "waits for a lock, exclusive unless said otherwise, and holds it until 'unlock' or the end of its lease",
            "Waits for 10 s, and holds it for the namespace's lease, unless said otherwise."),
    /** Releases a lock. */
    UNLOCK("unlock NAMESPACE NAME", 2, 2, "releases a lock that this shell holds"),
    /** Shows locks. */
    LOCKS(
            "locks NAMESPACE",
            1,
            1,
            "shows which locks of a namespace are held and waited for, at which gateway, and by whom",
            "For users with the role lock on the namespace."),
    /** Shows the time that commands take. */
    TIMING("timing on|off", 1, 1, "shows after each command how long it took, or no longer"),
    /** Changes the output. */
    FORMAT("format text|json", 1, 1, "changes the output: for people, or a JSON object a line for each command"),
    /** Explains the commands. */
    HELP("help [COMMAND]", 0, 1, "explains the commands"),
    /** Ends the shell. */
    EXIT("exit", 0, 0, "ends the shell; a transaction that is still open is aborted");

    private final String usage;
    private final int least;
    private final int most;
    private final String summary;
    private final String more;

    ShellCommand(String usage, int least, int most, String summary) {
        this(usage, least, most, summary, "");
    }

    ShellCommand(String usage, int least, int most, String summary, String more) {
        this.usage = usage;
        this.least = least;
        this.most = most;
        this.summary = summary;
        this.more = more;
    }

    /** The word that calls the command. */
    String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    String usage() {
        return usage;
    }

    String summary() {
        return summary;
    }

    String more() {
        return more;
    }

    /** Whether the command's first argument is a table. */
    boolean takesTable() {
        return usage.contains(" TABLE");
    }

    /** Whether the command may be executed when the open transaction has failed. */
    boolean isAboutTheShell() {
        return switch (this) {
            case COMMIT,
                    ABORT,
                    OUTCOME,
                    TABLES,
                    STATUS,
                    USAGE,
                    SESSIONS,
                    DISCONNECT,
                    LOCK,
                    UNLOCK,
                    LOCKS,
                    TIMING,
                    FORMAT,
                    HELP,
                    EXIT -> true;
            default -> false;
        };
    }

    /**
     * The command that a word calls.
     *
     * @throws BadCommand when there is no such command
     */
    static ShellCommand of(Word word) {
        return find(word).orElseThrow(() -> BadCommand.given("command", word.toString(), String.join(", ", words())));
    }

    /**
     * Checks that a command was given an allowed number of words.
     *
     * @throws BadCommand when it was not
     */
    void checkArguments(int given) {
        if (given < least || given > most) {
            throw BadCommand.given("arguments", Integer.toString(given), "'" + usage + "'");
        }
    }

    static Optional<ShellCommand> find(Word word) {
        if (word.is("quit")) {
            return Optional.of(EXIT);
        }
        return Arrays.stream(values())
                .filter(command -> !word.quoted() && word.text().equalsIgnoreCase(command.word()))
                .findFirst();
    }

    static List<String> words() {
        return Arrays.stream(values()).map(ShellCommand::word).toList();
    }
}
