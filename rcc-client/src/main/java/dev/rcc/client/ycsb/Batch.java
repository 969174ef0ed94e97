package dev.rcc.client.ycsb;

import dev.rcc.client.CallOptions;
import dev.rcc.client.OpenTransaction;
import dev.rcc.client.RccClient;
import dev.rcc.client.RccException;
import dev.rcc.client.Transaction;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import site.ycsb.Status;

/**
 * A given number of operations of a thread that are one transaction. After a conflict, all of them run again in a new transaction; the
 * statuses that the earlier operations have reported to YCSB stay.
 */
final class Batch {
    private final RccClient client;
    private final int size;
    private final Consumer<Ended> observer;
    private final List<Function<Transaction, Status>> operations = new ArrayList<>();
    private OpenTransaction txn;
    private long begunNanos;

    /**
     * The end of a transaction.
     *
     * @param failure why the transaction had no effect, or its effect is not known; null if it has committed
     * @param nanos how long the transaction took
     */
    record Ended(RuntimeException failure, long nanos) {}

    Batch(RccClient client, int size, Consumer<Ended> observer) {
        this.client = client;
        this.size = size;
        this.observer = observer;
    }

    /**
     * Runs an operation, and commits if it is the transaction's last.
     *
     * @throws RccException when the transaction has failed; the next operation is the first of another transaction
     */
    Status perform(Function<Transaction, Status> operation) {
        if (operations.isEmpty()) {
            begunNanos = System.nanoTime();
        }
        operations.add(operation);
        boolean isLast = operations.size() == size;
        Status status = attempt(isLast);
        return !isLast && status.isOk() ? Status.BATCHED_OK : status;
    }

    /** Commits the operations since the last commit, if there are any. */
    void finish() {
        if (!operations.isEmpty()) {
            attempt(true);
        }
    }

    private Status attempt(boolean isLast) {
        CallOptions call = client.options().call();
        for (int attempt = 1; ; attempt++) {
            try {
                Status status = attemptOnce(isLast, attempt > 1);
                if (isLast) {
                    end(null);
                }
                return status;
            } catch (RccException e) {
                boolean isOver =
                        System.nanoTime() - begunNanos > call.deadline().toNanos();
                if (!e.isRetryable() || attempt >= call.maxAttempts() || isOver || !backOff(call, attempt)) {
                    end(e);
                    throw e;
                }
            } catch (RuntimeException e) {
                end(e);
                throw e;
            }
        }
    }

    /** Runs the last operation, or all operations from the first. */
    private Status attemptOnce(boolean isLast, boolean isAgain) {
        if (txn == null || isAgain) {
            close();
            txn = client.begin();
            isAgain = true;
        }
        Status status = Status.OK;
        for (int i = isAgain ? 0 : operations.size() - 1; i < operations.size(); i++) {
            status = operations.get(i).apply(txn);
        }
        if (isLast) {
            txn.commit();
        }
        return status;
    }

    private static boolean backOff(CallOptions call, int attempt) {
        long most = Math.min(call.maxBackoff().toNanos(), call.baseBackoff().toNanos() << Math.min(attempt - 1, 20));
        try {
            TimeUnit.NANOSECONDS.sleep(ThreadLocalRandom.current().nextLong(Math.max(1, most)));
            return true;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private void end(RuntimeException failure) {
        close();
        operations.clear();
        observer.accept(new Ended(failure, System.nanoTime() - begunNanos));
    }

    private void close() {
        if (txn != null) {
            txn.abort();
            txn = null;
        }
    }
}
