package dev.rcc.bench.faults;

import dev.rcc.bench.history.Status;
import dev.rcc.client.CommitTicket;
import dev.rcc.client.KeyType;
import dev.rcc.client.OpenTransaction;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.client.ServerException;
import dev.rcc.client.Table;
import dev.rcc.client.TransactionOutcomeUnknownException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;

/**
 * Clients, each with connections of its own, that read and update records until they are asked to end, and record each attempt and its
 * answer. A client that gets no answer to a commit asks for its outcome before it goes on.
 */
final class ClientLoad implements FaultLoad {
    private static final int KEYS_MAX = 3;
    private static final int AT_ONCE = 8;
    /** This many of ten transactions only read. */
    private static final int READERS_OF_TEN = 3;

    private final LoadClients load;
    private final Table<Long, Register> table;
    private final int keys;
    private final int thinkMillis;
    private final Acknowledgements acknowledgements = new Acknowledgements();
    private final AtomicInteger numbers = new AtomicInteger();
    private final List<Client> clients = new ArrayList<>();

    /**
     * Clients that do not run yet.
     *
     * @param recordBytes bytes of the table's records, of which the load uses whole words
     * @param thinkMillis how long a client waits between transactions on average
     */
    ClientLoad(String gateways, String table, int recordBytes, int keys, int clients, int thinkMillis, long seed) {
        this.load = new LoadClients(gateways);
        this.table = new Table<>(table, KeyType.LONG, Register.codec(recordBytes / Long.BYTES * Long.BYTES));
        this.keys = keys;
        this.thinkMillis = thinkMillis;
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < clients; i++) {
            this.clients.add(new Client(i, random.split()));
        }
    }

    @Override
    public Acknowledgements acknowledgements() {
        return acknowledgements;
    }

    /** Writes all records. */
    @Override
    public void fill(long patienceNanos) throws InterruptedException {
        Patience patience = new Patience(patienceNanos);
        Client filler = new Client(clients.size(), new SplittableRandom(0));
        try (RccClient connection = filler.connect(patience::isOver)) {
            for (long first = 0; first < keys; first += AT_ONCE) {
                while (!filler.fill(connection, first, Math.min(keys, first + AT_ONCE))) {
                    if (patience.isOver()) {
                        throw new IllegalStateException("no more records of table " + table.name()
                                + " could be written in " + TimeUnit.NANOSECONDS.toSeconds(patienceNanos) + " s");
                    }
                    LoadClients.pause();
                }
                patience.restart();
            }
        }
        clients.add(filler); // its attempts count
    }

    @Override
    public void start() {
        clients.forEach(client -> client.start());
    }

    /** Asks the clients to end and waits until they have; after the deadline they stop asking for unknown outcomes. */
    void end(long patienceNanos) throws InterruptedException {
        load.end(patienceNanos);
    }

    /** How long to wait for progress: for one more record, however many there are. */
    private static final class Patience {
        private final long nanos;
        private long deadline;

        Patience(long nanos) {
            this.nanos = nanos;
            restart();
        }

        void restart() {
            deadline = System.nanoTime() + nanos;
        }

        boolean isOver() {
            return LoadClients.isPast(deadline);
        }
    }

    /**
     * The result of reading and writing all records at the end.
     *
     * @param versions the versions by key, 0 where the record could not be read
     * @param stuck the keys whose records could not be written
     */
    record End(List<Long> versions, List<Long> stuck) {
        /** The number of keys that could not even be read. */
        int unread() {
            return Collections.frequency(versions, 0L);
        }
    }

    /**
     * Updates each record once more, to verify that no transaction holds its lock. Reads the records that it cannot update in time. Does nothing
     * if the records were never filled.
     */
    End finish(long patienceNanos) throws InterruptedException {
        List<Long> versions = new ArrayList<>();
        List<Long> stuck = new ArrayList<>();
        if (attempts().isEmpty()) {
            return new End(versions, stuck);
        }
        Client last = new Client(clients.size(), new SplittableRandom(1));
        Patience patience = new Patience(patienceNanos);
        try (RccClient connection = last.connect(patience::isOver)) {
            for (long key = 0; key < keys; key++) {
                long version = last.updateWithin(patience, connection, key);
                if (version == 0) {
                    stuck.add(key);
                } else {
                    patience.restart();
                }
                versions.add(version);
            }
            long lastDeadline = System.nanoTime() + LoadClients.DEADLINE.toNanos();
            for (int i = 0; i < stuck.size() && !LoadClients.isPast(lastDeadline); i++) {
                versions.set(stuck.get(i).intValue(), last.read(connection, stuck.get(i)));
            }
        } catch (RccException e) { // no gateway answers
            for (long key = versions.size(); key < keys; key++) {
                versions.add(0L);
                stuck.add(key);
            }
        }
        clients.add(last);
        return new End(versions, stuck);
    }

    /** All attempts of all clients, which have ended. */
    List<Attempt> attempts() {
        List<Attempt> all = new ArrayList<>();
        clients.forEach(client -> all.addAll(List.of(client.attempts.toArray(new Attempt[0]))));
        return all;
    }

    /** The clients' observations of forbidden states: half-written records, failures of servers; each a sentence. */
    List<String> failures() {
        return load.failures();
    }

    @Override
    public void close() {
        load.stop();
    }

    /** One client. */
    private final class Client {
        private final int number;
        private final SplittableRandom random;
        private final List<Attempt> attempts = Collections.synchronizedList(new ArrayList<>());

        Client(int number, SplittableRandom random) {
            this.number = number;
            this.random = random;
        }

        void start() {
            if (attempts.isEmpty()) { // not the client that filled the table
                load.start(number, this::run);
            }
        }

        RccClient connect(BooleanSupplier givesUp) throws InterruptedException {
            while (true) {
                try {
                    return load.connect(number);
                } catch (RccException e) {
                    if (givesUp.getAsBoolean()) {
                        throw e;
                    }
                    LoadClients.pause();
                }
            }
        }

        private void run() throws InterruptedException {
            try (RccClient connection = connect(load::isAskingInVain)) {
                while (!load.isEnding()) {
                    if (!attempt(connection)) {
                        LoadClients.pause();
                    }
                    TimeUnit.MILLISECONDS.sleep(thinkMillis == 0 ? 0 : random.nextInt(2 * thinkMillis));
                }
            } catch (RccException e) {
                if (!load.isAskingInVain()) {
                    throw e;
                }
            }
        }

        /** Reads some records. Most attempts also update the first of them or all of them. */
        private boolean attempt(RccClient connection) {
            boolean isReader = random.nextInt(10) < READERS_OF_TEN;
            long[] chosen = random.longs(0, keys)
                    .distinct()
                    .limit(1 + random.nextInt(KEYS_MAX))
                    .toArray();
            int written = isReader ? 0 : 1 + random.nextInt(chosen.length);
            boolean announces = random.nextBoolean();
            Steps steps = new Steps(numbers.incrementAndGet(), chosen, chosen.length, written);
            return run(connection, steps, isReader, txn -> steps.readAndUpdate(txn, announces));
        }

        boolean fill(RccClient connection, long first, long end) {
            long[] chosen = java.util.stream.LongStream.range(first, end).toArray();
            Steps steps = new Steps(numbers.incrementAndGet(), chosen, 0, chosen.length);
            return run(connection, steps, false, steps::write);
        }

        /** Updates one record. Returns its new version, 0 if the update did not succeed. */
        long update(RccClient connection, long key) {
            Steps steps = new Steps(numbers.incrementAndGet(), new long[] {key}, 1, 1);
            return run(connection, steps, false, txn -> steps.readAndUpdate(txn, true)) ? steps.writes[0] : 0;
        }

        /** As {@link #update}, again and again until it succeeds or a deadline is past. */
        long updateWithin(Patience patience, RccClient connection, long key) throws InterruptedException {
            long version = 0;
            while (version == 0 && !patience.isOver()) {
                version = update(connection, key);
                if (version == 0) {
                    LoadClients.pause();
                }
            }
            return version;
        }

        /** The version of a record, 0 if it cannot be read. */
        long read(RccClient connection, long key) {
            Steps steps = new Steps(numbers.incrementAndGet(), new long[] {key}, 1, 0);
            return run(connection, steps, true, txn -> steps.readAndUpdate(txn, false)) ? steps.reads[0] : 0;
        }

        /** Makes an attempt and records it. Returns whether it has committed. */
        private boolean run(
                RccClient connection,
                Steps steps,
                boolean isReader,
                java.util.function.Consumer<OpenTransaction> body) {
            long start = System.nanoTime();
            Status status = Status.ABORTED;
            boolean wasAsked = false;
            try (OpenTransaction txn =
                    isReader ? connection.beginRead(LoadClients.DEADLINE) : connection.begin(LoadClients.DEADLINE)) {
                body.accept(txn);
                txn.commit();
                status = Status.COMMITTED;
            } catch (TransactionOutcomeUnknownException e) {
                wasAsked = true;
                status = ask(connection, e.ticket());
            } catch (ServerException e) {
                load.failed("attempt " + steps.number + " of client " + number + " met a failure of the server: "
                        + e.getMessage());
            } catch (RccException e) {
                status = Status.ABORTED; // it has had no effect
            }
            if (status == Status.COMMITTED) {
                acknowledgements.add();
            }
            if (status == Status.COMMITTED || steps.hasWritten) {
                attempts.add(steps.attempt(number, start, status, wasAsked));
            }
            return status == Status.COMMITTED;
        }

        private Status ask(RccClient connection, CommitTicket ticket) {
            return switch (load.ask(connection, ticket)) {
                case COMMITTED -> Status.COMMITTED;
                case NOT_COMMITTED -> Status.ABORTED;
                case UNKNOWN -> Status.UNKNOWN;
            };
        }
    }

    /** The operations of an attempt, and the versions that it found and wrote. */
    private final class Steps {
        private final int number;
        private final long[] chosen;
        private final int written;
        private final long[] reads;
        private final long[] writes;
        private boolean hasWritten;

        Steps(int number, long[] chosen, int read, int written) {
            this.number = number;
            this.chosen = chosen;
            this.written = written;
            this.reads = new long[read];
            this.writes = new long[written];
        }

        void readAndUpdate(OpenTransaction txn, boolean announces) {
            for (int i = 0; i < chosen.length; i++) {
                Optional<Register> found =
                        announces && i < written ? txn.getForUpdate(table, chosen[i]) : txn.get(table, chosen[i]);
                reads[i] = found.map(register -> register.version()).orElse(0L);
                long key = chosen[i];
                found.filter(register -> !register.isWhole())
                        .ifPresent(register -> load.failed("attempt " + number + " read key " + key
                                + " with version " + Register.name(register.version())
                                + ", the rest of which is not of that version: half written"));
            }
            write(txn);
        }

        void write(OpenTransaction txn) {
            for (int i = 0; i < written; i++) {
                hasWritten = true;
                writes[i] = Register.next(i < reads.length ? reads[i] : 0, number);
                txn.put(table, chosen[i], new Register(writes[i], true));
            }
        }

        Attempt attempt(int client, long start, Status status, boolean wasAsked) {
            return new Attempt(
                    number,
                    client,
                    start,
                    System.nanoTime(),
                    status,
                    wasAsked,
                    java.util.Arrays.copyOf(chosen, reads.length),
                    reads,
                    java.util.Arrays.copyOf(chosen, written),
                    writes);
        }
    }
}
