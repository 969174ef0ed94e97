package dev.rcc.bench.verify;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.ThreadFactory;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * Runs trials on several threads, each trial on one. Trials share nothing, so the result of a trial does not depend on how many run
 * beside it. Results are delivered in the order of the tasks.
 */
public final class Hunt {
    /** Submitted tasks for each thread, so that a long task does not keep the other threads waiting. */
    private static final int TASKS_A_THREAD = 8;

    private static final ThreadFactory DAEMONS =
            Thread.ofPlatform().name("rcc-verify-", 0).daemon().factory();

    private Hunt() {}

    /**
     * Runs all tasks, and returns when the last result has been taken.
     *
     * @param threads number of threads, at least 1
     * @param run runs a task and returns its result, on one of the threads
     * @param take receives the results on the caller's thread, in the order of the tasks
     * @throws RuntimeException the exception of {@code take}, or an {@link IllegalStateException} with the cause if {@code run} threw; no
     *     further results are taken then
     */
    public static <T, R> void run(Iterator<T> tasks, int threads, Function<T, R> run, Consumer<R> take) {
        try (ExecutorService executor = Executors.newFixedThreadPool(threads, DAEMONS)) {
            Deque<Future<R>> inHand = new ArrayDeque<>();
            try {
                while (tasks.hasNext() || !inHand.isEmpty()) {
                    while (tasks.hasNext() && inHand.size() < threads * TASKS_A_THREAD) {
                        T task = tasks.next();
                        inHand.add(executor.submit(() -> run.apply(task)));
                    }
                    take.accept(inHand.remove().get());
                }
            } catch (ExecutionException e) {
                throw new IllegalStateException("a trial could not be run", e.getCause());
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("interrupted", e);
            } finally {
                inHand.forEach(each -> each.cancel(true));
            }
        }
    }
}
