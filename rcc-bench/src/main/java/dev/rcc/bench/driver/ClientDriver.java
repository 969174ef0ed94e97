package dev.rcc.bench.driver;

import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.ClientGenerator;
import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientTelemetry;
import dev.rcc.client.ConflictException;
import dev.rcc.client.DeadlineExceededException;
import dev.rcc.client.ErrorCode;
import dev.rcc.client.ProcedureFailedException;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.client.Transaction;
import dev.rcc.client.UnavailableException;
import dev.rcc.client.procedure.ProcedureException;
import dev.rcc.client.wire.Message;
import dev.rcc.core.store.Catalog;
import dev.rcc.core.txn.Procedure;
import dev.rcc.server.gateway.GatewayOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalDouble;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Stream;
import org.HdrHistogram.ConcurrentHistogram;
import org.HdrHistogram.Histogram;

/**
 * Runs a workload in a closed loop on clients of the client library, each a virtual thread that runs one transaction at a time. The clients begin with
 * the constructor and end with {@link #end}. Used by one thread.
 */
public final class ClientDriver implements AutoCloseable {
    private static final long MAX_NANOS = Duration.ofMinutes(1).toNanos();
    private static final int DIGITS = 3;

    /** A long wait shows in the latencies, so no client gives up early. */
    private static final CallOptions CALL =
            CallOptions.DEFAULT.withDeadline(Duration.ofSeconds(20)).withMaxAttempts(10_000);

    private final ClientLoad load;
    private final int kinds;
    private final BenchConfig.Times times;
    private final RccClient client;
    private final List<ClientGenerator> generators;
    private final List<Thread> threads = new ArrayList<>();
    private final AtomicReference<Throwable> failure = new AtomicReference<>();
    private volatile Window window;
    private volatile boolean running = true;
    private long startCpuNanos;

    /** How a transaction ended. */
    private enum End {
        COMMITTED,
        /** The workload itself gave it up. */
        REFUSED,
        /** No attempt could commit within the time, or within the number of attempts, that clients have. */
        NOT_IN_TIME,
        /** A table was full. */
        TABLE_FULL
    }

    /** The counts of some transactions. */
    private static final class Counter {
        private final Histogram latency = new ConcurrentHistogram(1, MAX_NANOS, DIGITS);
        private final LongAdder refused = new LongAdder();
        private final LongAdder notInTime = new LongAdder();
        private final LongAdder tableFull = new LongAdder();

        void count(End end, long nanos) {
            switch (end) {
                case COMMITTED -> latency.recordValue(Math.clamp(nanos, 0, MAX_NANOS));
                case REFUSED -> refused.increment();
                case NOT_IN_TIME -> notInTime.increment();
                case TABLE_FULL -> tableFull.increment();
            }
        }

        ClientMeasurements.Counts counts() {
            return new ClientMeasurements.Counts(latency.copy(), refused.sum(), notInTime.sum(), tableFull.sum());
        }
    }

    /** The counts between two resets. */
    private static final class Window {
        private final Counter all = new Counter();
        private final List<Counter> kinds;
        private final LongAdder triedAgain = new LongAdder();

        Window(int kinds) {
            this.kinds = Stream.generate(Counter::new).limit(kinds).toList();
        }

        void count(int kind, End end, long nanos) {
            all.count(end, nanos);
            if (kind != Procedure.NO_KIND) {
                kinds.get(kind).count(end, nanos);
            }
        }
    }

    /**
     * Connects, and starts the clients.
     *
     * @param gateways the addresses of the cluster's gateways, {@code host:port,host:port}
     * @throws RccException when no gateway lets the clients in
     */
    public ClientDriver(BenchConfig config, ClientLoad load, Catalog catalog, String gateways) {
        this.load = load;
        this.times = config.times();
        this.kinds = config.workload().kinds().size();
        this.window = new Window(kinds);
        this.generators =
                config.workload().clientGenerators(catalog, load.clients(), new SplittableRandom(config.seed()));
        this.client = RccClient.connect(gateways, load.options().withCall(CALL).withTelemetry(telemetry()));
        for (ClientGenerator generator : generators) {
            boolean isFirst = threads.isEmpty();
            threads.add(Thread.ofVirtual().name("rcc-bench-client").start(() -> run(generator, isFirst)));
        }
    }

    /** A gateway's options, with room for the load's clients on any number of connections. */
    public static GatewayOptions withRoom(GatewayOptions options, ClientLoad load) {
        Message.Limits limits = options.limits();
        return options.withLimits(new Message.Limits(
                        limits.frameLength(),
                        Math.max(limits.transactions(), load.clients()),
                        limits.pipelined(),
                        limits.scanRecords(),
                        limits.transactionBytes(),
                        limits.idleMillis(),
                        limits.lifetimeMillis()))
                .withCapacity(
                        options.capacity().connections(),
                        Math.max(options.capacity().waiting(), load.clients()),
                        options.capacity().outcomes());
    }

    private ClientTelemetry telemetry() {
        ClientTelemetry.Call transaction = new ClientTelemetry.Call() {
            @Override
            public void end(Throwable failure) {
                // the client's thread counts it
            }

            @Override
            public void retried(RccException cause) {
                window.triedAgain.increment();
            }
        };
        return (operation, parent) ->
                operation.kind() == ClientTelemetry.Kind.TRANSACTION ? transaction : ClientTelemetry.Call.NONE;
    }

    private void run(ClientGenerator generator, boolean looks) {
        try {
            LookTimes looking = new LookTimes(times, System.nanoTime());
            while (running) {
                if (looks && generator.looks() && looking.isNow(System.nanoTime())) {
                    look(generator);
                }
                generator.next();
                if (generator.pauseNanos() > 0) {
                    Pause.onThread(generator.pauseNanos(), () -> running);
                }
                long beginNanos = System.nanoTime();
                End end = runOnce(generator);
                long nanos = System.nanoTime() - beginNanos;
                Window now = window;
                if (end == End.COMMITTED) {
                    generator.committed();
                }
                now.count(generator.kind(), end, nanos);
            }
        } catch (RuntimeException | Error e) {
            failure.compareAndSet(null, e);
            running = false;
        }
    }

    private void look(ClientGenerator generator) {
        try {
            client.read(CALL, txn -> {
                generator.look(txn);
                return null;
            });
            generator.looked();
        } catch (ConflictException | DeadlineExceededException e) {
            // Other transactions are in the way: the next look may have more luck.
        }
    }

    /** Runs the drawn transaction. Its outcome is always known, or the run fails. */
    private End runOnce(ClientGenerator generator) {
        CallOptions call = generator.near(CALL);
        try {
            if (load.mode() == ClientLoad.Mode.PROCEDURES) {
                generator.call(client, call);
            } else if (generator.isReadOnly()) {
                client.read(call, txn -> perform(generator, txn));
            } else {
                client.transact(call, txn -> perform(generator, txn));
            }
            return End.COMMITTED;
        } catch (ProcedureException | ProcedureFailedException e) {
            generator.gaveUp(e);
            return End.REFUSED;
        } catch (ConflictException | DeadlineExceededException e) {
            return End.NOT_IN_TIME;
        } catch (UnavailableException e) {
            if (e.code() != ErrorCode.TABLE_FULL) {
                throw e;
            }
            return End.TABLE_FULL;
        }
    }

    private static Object perform(ClientGenerator generator, Transaction txn) {
        generator.perform(txn);
        return null;
    }

    /**
     * Checks whether a client has failed.
     *
     * @throws IllegalStateException when a client has failed, with the client's exception as cause
     */
    public void check() {
        Throwable thrown = failure.get();
        if (thrown != null) {
            throw new IllegalStateException("a client of the client library failed: " + thrown.getMessage(), thrown);
        }
    }

    /** The number of transactions committed since {@link #reset} or {@link #measure}, or else since the start. */
    public long committed() {
        return window.all.latency.getTotalCount();
    }

    /** Begins the measurement. */
    public void reset() {
        window = new Window(kinds);
        startCpuNanos = CpuTime.ofThisProcess();
    }

    /**
     * The measurements since {@link #reset}. This ends the measurement.
     *
     * @param isAlone whether this process has only clients, so that its processor time is theirs
     */
    public ClientMeasurements measure(boolean isAlone) {
        Window now = window;
        window = new Window(kinds); // later transactions are in no figure
        double cpuSeconds = (double) (CpuTime.ofThisProcess() - startCpuNanos)
                / Duration.ofSeconds(1).toNanos();
        return new ClientMeasurements(
                now.all.counts(),
                now.kinds.stream().map(Counter::counts).toList(),
                now.triedAgain.sum(),
                isAlone ? OptionalDouble.of(cpuSeconds) : OptionalDouble.empty());
    }

    /**
     * Lets the clients end, and waits until they have.
     *
     * @return false if some clients had not ended in time
     * @throws IllegalStateException when a client failed
     * @throws InterruptedException when the calling thread was interrupted
     */
    public boolean end(Duration patience) throws InterruptedException {
        running = false;
        long deadline = System.nanoTime() + patience.toNanos();
        for (Thread thread : threads) {
            if (!thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())))) {
                return false;
            }
        }
        check();
        return true;
    }

    /** The accounts of the clients, which must have ended. */
    public List<? extends Account> accounts() {
        return generators;
    }

    @Override
    public void close() {
        running = false;
        client.close();
    }
}
