package dev.rcc.bench.faults;

import dev.rcc.client.Codec;
import dev.rcc.client.CommitOutcome;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.HeldLock;
import dev.rcc.client.KeyType;
import dev.rcc.client.LockMode;
import dev.rcc.client.LockOptions;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.client.ServerException;
import dev.rcc.client.Table;
import dev.rcc.client.Transaction;
import dev.rcc.client.TransactionOutcomeUnknownException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Clients that count under locks: each reads a count in one transaction and writes the next number in another. Only the lock and its fence
 * keep two clients from writing the same number. Some clients sleep beyond their leases while they hold the lock. Some write once more after a
 * later holder has fenced a transaction; that write must be refused.
 *
 * <p>Each write carries its token, so the checks depend on no clock.
 */
final class LockLoad implements FaultLoad {
    private static final Duration LOCK_WAIT = Duration.ofSeconds(3);
    /** One of so many holders sleeps beyond its lease. */
    private static final int SLEEPERS_OF = 100;
    /** One of so many late holders writes again. */
    private static final int LATE_OF = 4;
    /** The number of locks and of counts. */
    static final int COUNTERS = 8;

    private final LoadClients load;
    private final String namespace;
    private final Table<Long, Long> table;
    private final int thinkMillis;
    private final int leaseMillis;
    private final Acknowledgements acknowledgements = new Acknowledgements();
    private final List<Client> clients = new ArrayList<>();
    private final Counter[] counters = new Counter[COUNTERS];

    /** The known state of a count, and of the writes to it. */
    private static final class Counter {
        private final String lock;
        private final long key;
        /** Writes that were acknowledged. */
        private long acknowledged;
        /** Writes whose outcome no gateway knew. */
        private long unknown;
        /** The greatest token of a transaction that was acknowledged. */
        private long fenced = -1;

        Counter(int number) {
            this.lock = "counter-" + number;
            this.key = number;
        }

        synchronized void acknowledge(long token) {
            acknowledged++;
            fence(token);
        }

        synchronized void fence(long token) {
            fenced = Math.max(fenced, token);
        }

        synchronized void doubt() {
            unknown++;
        }

        /** Whether a later holder than the holder of this token is known to have fenced a transaction. */
        synchronized boolean isLate(long token) {
            return token < fenced;
        }
    }

    /**
     * The result of the counting.
     *
     * @param counts counts that were acknowledged
     * @param unknown counts whose outcome no gateway knew
     * @param lost acknowledged counts that are missing
     * @param late transactions of holders that were known to be late
     * @param refused the late transactions that were refused
     * @param effective the late transactions that had an effect
     * @param lostLocks writes that were refused because their lock was lost, of holders that were not known to be late
     * @param unread the number of counts that could not be read at the end, or whose locks could not be acquired
     */
    record Result(
            long counts,
            long unknown,
            long lost,
            long late,
            long refused,
            long effective,
            long lostLocks,
            int unread) {}

    LockLoad(
            String gateways, String namespace, String table, int clients, int thinkMillis, int leaseMillis, long seed) {
        this.load = new LoadClients(gateways);
        this.namespace = namespace;
        this.table = new Table<>(table, KeyType.LONG, Codec.ofLong());
        this.thinkMillis = thinkMillis;
        this.leaseMillis = leaseMillis;
        SplittableRandom random = new SplittableRandom(seed);
        for (int i = 0; i < COUNTERS; i++) {
            counters[i] = new Counter(i);
        }
        for (int i = 0; i < clients; i++) {
            this.clients.add(new Client(i, random.split()));
        }
    }

    @Override
    public Acknowledgements acknowledgements() {
        return acknowledgements;
    }

    @Override
    public void fill(long patienceNanos) throws InterruptedException {
        long deadline = System.nanoTime() + patienceNanos;
        for (Counter counter : counters) {
            boolean isDone = tryUntil(deadline, connection -> {
                connection.put(table, counter.key, 0L);
                return true;
            });
            if (!isDone) {
                throw new IllegalStateException("the counts in table " + table.name() + " could not be written");
            }
        }
    }

    @Override
    public void start() {
        clients.forEach(client -> load.start(client.number, client::run));
    }

    /** Asks the clients to end and waits until they have; after the deadline they stop asking for unknown outcomes. */
    void end(long patienceNanos) throws InterruptedException {
        load.end(patienceNanos);
    }

    /** Acquires each lock once more, reads each count, and compares it with the acknowledged counts. */
    Result finish(long patienceNanos) throws InterruptedException {
        long deadline = System.nanoTime() + patienceNanos;
        long counts = 0;
        long unknown = 0;
        long lost = 0;
        int unread = 0;
        for (Counter counter : counters) {
            long[] found = {-1};
            boolean isRead = tryUntil(deadline, connection -> {
                try (HeldLock _ = connection
                        .locks(namespace)
                        .lock(counter.lock, LockMode.EXCLUSIVE, LockOptions.DEFAULT.wait(LOCK_WAIT))) {
                    found[0] = connection.get(table, counter.key).orElse(-1L);
                    return true;
                }
            });
            counts += counter.acknowledged;
            unknown += counter.unknown;
            if (!isRead) {
                unread++;
                load.failed("STUCK: " + counter.lock + " could not be locked and read in time at the end");
            } else {
                lost += compare(counter, found[0]);
            }
        }
        long late = clients.stream().mapToLong(client -> client.late).sum();
        long refused = clients.stream().mapToLong(client -> client.refused).sum();
        long effective = clients.stream().mapToLong(client -> client.effective).sum();
        long lostLocks = clients.stream().mapToLong(client -> client.lostLocks).sum();
        return new Result(counts, unknown, lost, late, refused, effective, lostLocks, unread);
    }

    private long compare(Counter counter, long found) {
        if (found < counter.acknowledged) {
            load.failed("LOST: " + counter.lock + " has counted to " + found + ", and " + counter.acknowledged
                    + " counts were acknowledged");
        } else if (found > counter.acknowledged + counter.unknown) {
            load.failed(
                    "UNTRUTHFUL: " + counter.lock + " has counted to " + found + ", and only " + counter.acknowledged
                            + " counts were acknowledged, with " + counter.unknown + " of unknown outcome");
        }
        return Math.max(0, counter.acknowledged - found);
    }

    /** Tries until the action succeeds or the deadline is past. */
    private boolean tryUntil(long deadline, Function<RccClient, Boolean> what) throws InterruptedException {
        while (!LoadClients.isPast(deadline)) {
            try (RccClient connection = load.connect("last")) {
                return what.apply(connection);
            } catch (RccException e) {
                LoadClients.pause();
            }
        }
        return false;
    }

    /** The observations of forbidden states, each a sentence. */
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
        private long late;
        private long refused;
        private long effective;
        private long lostLocks;

        Client(int number, SplittableRandom random) {
            this.number = number;
            this.random = random;
        }

        private void run() throws InterruptedException {
            while (!load.isEnding()) {
                try (RccClient connection = load.connect(number)) {
                    countUntilEnd(connection);
                } catch (RccException e) {
                    LoadClients.pause(); // no gateway lets the client in
                }
            }
        }

        private void countUntilEnd(RccClient connection) throws InterruptedException {
            while (!load.isEnding()) {
                Counter counter = counters[random.nextInt(COUNTERS)];
                Optional<HeldLock> lock = lock(connection, counter);
                if (lock.isEmpty()) {
                    LoadClients.pause();
                } else {
                    try (HeldLock held = lock.get()) {
                        count(connection, counter, held.token());
                    }
                    writeLate(connection, counter, lock.get().token());
                }
                TimeUnit.MILLISECONDS.sleep(thinkMillis == 0 ? 0 : random.nextInt(2 * thinkMillis));
            }
        }

        private Optional<HeldLock> lock(RccClient connection, Counter counter) {
            try {
                return connection
                        .locks(namespace)
                        .tryLock(counter.lock, LockMode.EXCLUSIVE, LockOptions.DEFAULT.wait(LOCK_WAIT));
            } catch (ServerException e) {
                load.failed("client " + number + " met a failure of the server: " + e.getMessage());
                return Optional.empty();
            } catch (RccException e) {
                return Optional.empty();
            }
        }

        /** Counts without checking whether the lock is still held, like a holder that has slept: the fence must refuse the write. */
        private void count(RccClient connection, Counter counter, long token) throws InterruptedException {
            long[] found = {0};
            boolean isRead = run(connection, counter, token, txn -> found[0] = txn.require(table, counter.key));
            if (!isRead) {
                return;
            }
            counter.fence(token);
            if (random.nextInt(SLEEPERS_OF) == 0) {
                TimeUnit.MILLISECONDS.sleep(leaseMillis + random.nextInt(2 * leaseMillis));
            }
            boolean wasLate = counter.isLate(token);
            late += wasLate ? 1 : 0;
            AtomicBoolean isDoubtful = new AtomicBoolean();
            if (run(connection, counter, token, txn -> txn.put(table, counter.key, found[0] + 1), isDoubtful)) {
                counter.acknowledge(token);
                acknowledgements.add();
                if (wasLate) {
                    effective++;
                    load.failed("LATE: client " + number + " has counted under " + counter.lock + " with token " + token
                            + " after a later holder");
                }
            } else if (isDoubtful.get()) {
                counter.doubt();
            }
        }

        /** Writes a wrong count, if a later holder is known to have fenced a transaction. */
        private void writeLate(RccClient connection, Counter counter, long token) {
            if (random.nextInt(LATE_OF) != 0 || !counter.isLate(token)) {
                return;
            }
            late++;
            if (run(connection, counter, token, txn -> txn.put(table, counter.key, -1_000_000L))) {
                effective++;
                load.failed("LATE: client " + number + " has written under " + counter.lock + " with token " + token
                        + " after a later holder");
            }
        }

        private boolean run(RccClient connection, Counter counter, long token, Consumer<Transaction> body) {
            return run(connection, counter, token, body, new AtomicBoolean());
        }

        /** Runs a transaction that the holder's token fences. Returns whether it is known to have committed. */
        private boolean run(
                RccClient connection,
                Counter counter,
                long token,
                Consumer<Transaction> body,
                AtomicBoolean isDoubtful) {
            boolean isKnownLate = counter.isLate(token);
            try {
                connection.execute(txn -> {
                    txn.fence(namespace, counter.lock, token);
                    body.accept(txn);
                });
                return true;
            } catch (TransactionOutcomeUnknownException e) {
                CommitOutcome outcome = load.ask(connection, e.ticket());
                isDoubtful.set(outcome == CommitOutcome.UNKNOWN);
                return outcome == CommitOutcome.COMMITTED;
            } catch (ServerException e) {
                load.failed("client " + number + " met a failure of the server: " + e.getMessage());
                return false;
            } catch (RccException e) {
                if (e.code() == ErrorCode.LOCK_LOST) {
                    refused += isKnownLate ? 1 : 0;
                    lostLocks += isKnownLate ? 0 : 1;
                }
                return false;
            }
        }
    }
}
