package dev.rcc.bench.faults;

import dev.rcc.client.CallOptions;
import dev.rcc.client.ClientOptions;
import dev.rcc.client.CommitOutcome;
import dev.rcc.client.CommitTicket;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** The clients of a load: for each a thread and connections of its own; the request to end; and the observations of forbidden states. */
final class LoadClients {
    /** How long a transaction may take. */
    static final Duration DEADLINE = Duration.ofSeconds(5);
    /** Longer than all attempts and outcome requests in progress. */
    private static final Duration HANG = Duration.ofSeconds(60);

    private static final long PAUSE_MILLIS = 20;

    private final String gateways;
    private final Map<Integer, Thread> threads = new LinkedHashMap<>();
    private final List<String> failures = new ArrayList<>();
    private volatile boolean isEnding;
    private volatile boolean isAskingInVain;

    /** Clients of these gateways, of which none runs yet. */
    LoadClients(String gateways) {
        this.gateways = gateways;
    }

    /**
     * Connects a client.
     *
     * @throws RccException when no gateway lets it in
     */
    RccClient connect(Object name) {
        return RccClient.connect(
                gateways,
                ClientOptions.DEFAULT.withName("faults-" + name).withCall(CallOptions.DEFAULT.withDeadline(DEADLINE)));
    }

    /** Starts a client. An exception that it throws is recorded as a failure. */
    void start(int number, Body body) {
        threads.put(
                number,
                Thread.ofPlatform().daemon().name("rcc-faults-client-" + number).start(() -> run(number, body)));
    }

    private void run(int number, Body body) {
        try {
            body.run();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } catch (RuntimeException | Error e) {
            failed("client " + number + " has failed: " + e);
        }
    }

    /** A client's work until {@link #isEnding}. */
    interface Body {
        void run() throws InterruptedException;
    }

    /** Asks the clients to end and waits until they have; after the deadline they stop asking for unknown outcomes. */
    void end(long patienceNanos) throws InterruptedException {
        isEnding = true;
        long deadline = System.nanoTime() + patienceNanos;
        for (Thread thread : threads.values()) {
            thread.join(Duration.ofNanos(Math.max(1, deadline - System.nanoTime())));
        }
        isAskingInVain = true;
        for (Map.Entry<Integer, Thread> client : threads.entrySet()) {
            if (!client.getValue().join(HANG)) {
                failed("client " + client.getKey() + " hangs: it has not ended " + HANG.toSeconds()
                        + " s after it was asked to, though no transaction may take longer than " + DEADLINE.toSeconds()
                        + " s");
            }
        }
    }

    /** Asks the clients to end, even in the middle of an outcome request. */
    void stop() {
        isEnding = true;
        isAskingInVain = true;
    }

    /** Whether the clients are asked to end. */
    boolean isEnding() {
        return isEnding;
    }

    /** Whether the clients are to end even if an outcome is unknown. */
    boolean isAskingInVain() {
        return isAskingInVain;
    }

    /** Asks until a gateway knows the outcome; after {@link #isAskingInVain} the outcome stays unknown. */
    CommitOutcome ask(RccClient connection, CommitTicket ticket) {
        while (true) {
            try {
                CommitOutcome outcome = connection.outcomeOf(ticket);
                if (outcome != CommitOutcome.UNKNOWN || isAskingInVain) {
                    return outcome;
                }
                pause();
            } catch (RccException e) {
                if (isAskingInVain) {
                    return CommitOutcome.UNKNOWN;
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return CommitOutcome.UNKNOWN;
            }
        }
    }

    /** Waits before the next try. */
    static void pause() throws InterruptedException {
        TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
    }

    /** Whether a deadline of {@link System#nanoTime} is past. */
    static boolean isPast(long deadline) {
        return System.nanoTime() - deadline > 0;
    }

    /** The clients' observations of forbidden states: half-written records, failures of servers; each a sentence. */
    List<String> failures() {
        synchronized (failures) {
            return List.copyOf(failures);
        }
    }

    void failed(String sentence) {
        synchronized (failures) {
            failures.add(sentence);
        }
    }
}
