package dev.rcc.core.txn;

import dev.rcc.core.worker.Worker;

/**
 * Times the stages of one coroutine's transactions, and has their messages between zones counted where there are several zones. Reading the
 * clock for every stage would be a good part of a short transaction's cost, so one of {@value #SAMPLE} attempts of the worker is timed; all passages
 * are counted.
 */
public final class StageClock {
    /** One attempt in this many is timed. */
    public static final int SAMPLE = 8;

    private final Worker worker;
    private final StageTimers timers;
    /** Null in a single zone. */
    private final AttemptCrossings crossings;

    private boolean timed;
    private long startNanos;
    private StageEvent event;

    /** The clock of the coroutine of {@code txn}, whose worker has these timers. */
    public StageClock(Transaction txn, StageTimers timers) {
        this.worker = txn.coroutine().worker();
        this.timers = timers;
        this.crossings = txn.crossings();
    }

    /** An attempt begins. */
    public void begin() {
        timed = timers.nextAttempt() % SAMPLE == 0;
    }

    /** A stage begins. */
    public void enter() {
        if (timed) {
            startNanos = worker.nanoTime();
        }
        if (crossings != null) {
            crossings.enter();
        }
        event = StageEvent.beginIfRecorded();
    }

    /** The stage that was entered ends. */
    public void leave(int stage) {
        timers.pass(stage);
        if (timed) {
            timers.record(stage, worker.nanoTime() - startNanos);
        }
        if (crossings != null) {
            crossings.leave(stage);
        }
        if (event != null) {
            record(stage);
        }
    }

    private void record(int stage) {
        event.node = worker.node();
        event.worker = worker.index();
        event.protocol = timers.protocol();
        event.stage = timers.stages().get(stage);
        event.commit();
        event = null;
    }
}
