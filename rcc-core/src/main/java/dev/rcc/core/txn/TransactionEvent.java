package dev.rcc.core.txn;

import jdk.jfr.Category;
import jdk.jfr.Description;
import jdk.jfr.Event;
import jdk.jfr.Label;
import jdk.jfr.Name;
import jdk.jfr.StackTrace;
import jdk.jfr.Threshold;

/**
 * A transaction as Flight Recorder sees it, from the first attempt to the end of the last. An event is made only while a recording wants them. Times
 * are the recorder's: in a simulation they mean nothing.
 */
@Name(TransactionEvent.NAME)
@Label("Transaction")
@Description("From a transaction's first attempt to its end")
@Category("RCC")
@Threshold("10 ms")
@StackTrace(false)
final class TransactionEvent extends Event {
    /** The event's name in recordings. */
    static final String NAME = "dev.rcc.Transaction";

    private static final TransactionEvent PROBE = new TransactionEvent();

    @Label("Node")
    int node;

    @Label("Worker")
    int worker;

    @Label("Coroutine")
    int coroutine;

    @Label("Protocol")
    String protocol;

    @Label("Outcome")
    @Description("COMMITTED or ABORTED, or FAILED if its procedure threw")
    String outcome;

    @Label("Abort Reason")
    @Description("Of the last attempt, if that aborted")
    String abortReason;

    @Label("Attempts")
    int attempts;

    private TransactionEvent() {}

    /** An event that begins now; null while there is no recording. */
    static TransactionEvent beginIfRecorded() {
        if (!PROBE.isEnabled()) {
            return null;
        }
        TransactionEvent event = new TransactionEvent();
        event.begin();
        return event;
    }
}
