package dev.rcc.transport.verbs.ibv;

import java.lang.foreign.MemorySegment;
import java.lang.ref.Reference;

/** Reports completed work requests. Polled by one thread at a time, and not while {@link #close} runs. */
public final class CompletionQueue extends VerbsResource {
    private final VerbsLibrary library;
    private final MemorySegment pollCq;
    private final MemorySegment reqNotifyCq;
    private final boolean critical;

    CompletionQueue(VerbsDevice device, long address) {
        this(device, address, new VerbsResource[] {device});
    }

    CompletionQueue(VerbsDevice device, long address, CompletionChannel channel) {
        this(device, address, new VerbsResource[] {device, channel});
    }

    private CompletionQueue(VerbsDevice device, long address, VerbsResource... foundations) {
        super("a completion queue", address, foundations);
        this.library = device.library();
        this.pollCq = device.pollCq();
        this.reqNotifyCq = device.reqNotifyCq();
        this.critical = device.isDoorbellInUserSpace();
    }

    /** The number of completions that it holds. */
    public int entries() {
        return Raw.getInt(address(), CqLayout.CQE);
    }

    /**
     * Takes the present completions, without waiting.
     *
     * @param into takes the completions; as many as fit are taken
     * @return the number of completions taken
     */
    public int poll(WorkCompletions into) {
        int count;
        try {
            // Both are the same call. A method handle must be a constant to be compiled into the code.
            count = critical
                    ? (int) Ops.POLL_CQ_CRITICAL.invokeExact(pollCq, address(), into.capacity(), into.address())
                    : (int) Ops.POLL_CQ.invokeExact(pollCq, address(), into.capacity(), into.address());
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw Ops.failed("poll_cq", e);
        } finally {
            Reference.reachabilityFence(into);
        }
        if (count < 0) {
            throw new VerbsException("poll_cq", -count);
        }
        return count;
    }

    /**
     * Arms the queue: its channel gets an event with the next completion that comes. Earlier completions cause no event, so
     * poll once more after this.
     */
    public void requestNotify() {
        requestNotify(false);
    }

    /** Arms the queue as above, or only for the next completion of a message that was sent as {@link SendFlags#SOLICITED}, or that failed. */
    public void requestNotify(boolean solicitedOnly) {
        int error;
        try {
            error = (int) Ops.REQ_NOTIFY_CQ.invokeExact(reqNotifyCq, address(), solicitedOnly ? 1 : 0);
        } catch (RuntimeException | Error e) {
            throw e;
        } catch (Throwable e) {
            throw Ops.failed("req_notify_cq", e);
        }
        if (error != 0) {
            throw new VerbsException("req_notify_cq", error);
        }
    }

    @Override
    void destroy(long structAddress) {
        library.destroyCq.check(structAddress);
    }
}
