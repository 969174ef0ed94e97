package dev.rcc.server.consensus;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Runs tasks one after the other, in the order in which they came, on threads of another executor. For any thread. */
final class InOrder implements Executor {
    private final Executor threads;
    private final Queue<Runnable> waiting = new ArrayDeque<>();
    private boolean running;

    InOrder(Executor threads) {
        this.threads = threads;
    }

    @Override
    public synchronized void execute(Runnable task) {
        waiting.add(task);
        if (!running) {
            threads.execute(this::runAll);
            running = true;
        }
    }

    private void runAll() {
        for (Runnable task = next(); task != null; task = next()) {
            task.run();
        }
    }

    private synchronized Runnable next() {
        Runnable task = waiting.poll();
        running = task != null;
        return task;
    }
}
