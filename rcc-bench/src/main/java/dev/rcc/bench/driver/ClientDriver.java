package dev.rcc.bench.driver;

import dev.rcc.bench.workload.Account;
import dev.rcc.bench.workload.ClientGenerator;
import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientTelemetry;
import dev.rcc.client.ConflictException;
import dev.rcc.client.DeadlineExceededException;
import dev.rcc.client.ProcedureFailedException;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.client.Transaction;
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

    /** The counts between two resets. */
    private static final class Window {
        private final Histogram latency = new ConcurrentHistogram(1, MAX_NANOS, DIGITS);
        private final LongAdder gaveUp = new LongAdder();
        private final LongAdder triedAgain = new LongAdder();
        private final List<Histogram> kinds = new ArrayList<>();
        private final List<LongAdder> gaveUpOfKinds = new ArrayList<>();

        Window(int kinds) {
            for (int i = 0; i < kinds; i++) {
                this.kinds.add(new ConcurrentHistogram(1, MAX_NANOS, DIGITS));
                this.gaveUpOfKinds.add(new LongAdder());
            }
        }

        void committed(int kind, long nanos) {
            long bounded = Math.clamp(nanos, 0, MAX_NANOS);
            latency.recordValue(bounded);
            if (kind != Procedure.NO_KIND) {
                kinds.get(kind).recordValue(bounded);
            }
        }

        void gaveUp(int kind) {
            gaveUp.increment();
            if (kind != Procedure.NO_KIND) {
                gaveUpOfKinds.get(kind).increment();
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
                boolean committed = runOnce(generator);
                long nanos = System.nanoTime() - beginNanos;
                Window now = window;
                if (committed) {
                    generator.committed();
                    now.committed(generator.kind(), nanos);
                } else {
                    now.gaveUp(generator.kind());
                }
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

    /** Runs the drawn transaction; false if it had no effect. The transaction's outcome is always known, or the run fails. */
    private boolean runOnce(ClientGenerator generator) {
        CallOptions call = generator.near(CALL);
        try {
            if (load.mode() == ClientLoad.Mode.PROCEDURES) {
                generator.call(client, call);
            } else if (generator.isReadOnly()) {
                client.read(call, txn -> perform(generator, txn));
            } else {
                client.transact(call, txn -> perform(generator, txn));
            }
            return true;
        } catch (ProcedureException | ProcedureFailedException e) {
            generator.gaveUp(e);
            return false;
        } catch (ConflictException | DeadlineExceededException e) {
            return false;
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
        return window.latency.getTotalCount();
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
        Histogram latency = now.latency.copy();
        return new ClientMeasurements(
                latency.getTotalCount(),
                now.gaveUp.sum(),
                now.triedAgain.sum(),
                latency,
                now.kinds.stream().map(Histogram::copy).toList(),
                now.gaveUpOfKinds.stream().map(LongAdder::sum).toList(),
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
