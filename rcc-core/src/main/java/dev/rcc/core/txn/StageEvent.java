package dev.rcc.core.txn;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/** A transaction's passage through a stage of its protocol as Flight Recorder sees it. Like {@link TransactionEvent} otherwise. */
@Name(StageEvent.NAME)
@Label("Transaction Stage")
@Description("A transaction's passage through a stage of its protocol")
@Category("RCC")
@Threshold("10 ms")
@StackTrace(false)
final class StageEvent extends Event {
    /** The event's name in recordings. */
    static final String NAME = "dev.rcc.Stage";

    private static final StageEvent PROBE = new StageEvent();

    @Label("Node")
    int node;

    @Label("Worker")
    int worker;

    @Label("Protocol")
    String protocol;

    @Label("Stage")
    String stage;

    private StageEvent() {}

    /** An event that begins now; null while there is no recording. */
    static StageEvent beginIfRecorded() {
        if (!PROBE.isEnabled()) {
            return null;
        }
        StageEvent event = new StageEvent();
        event.begin();
        return event;
    }
}
