package dev.rcc.transport;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.memory.Prefetch;
import dev.rcc.core.worker.Completion;
import java.lang.invoke.VarHandle;
import java.util.Arrays;

/**
 * The batches that a worker's coroutines have posted in a turn, to peers whose memory the process can touch. The next poll carries them out together:
 * so their cache misses overlap, as the requests of a NIC do, and one fence serves all of them. A coroutine goes on when its batches have completed,
 * in the turn of that poll. Only batches that have no cache misses to wait for are carried out at once. Used by one worker; allocates nothing after
 * its first turns.
 */
public final class PostedBatches {
    private static final int INITIAL = 16;

    private final PolledCompletions polled;
    private final Prefetch prefetch = new Prefetch();
    /** For the batches that are carried out at once: empty between them. */
    private final Prefetch atOnce = new Prefetch();

    private PostedBatch[] batches = new PostedBatch[INITIAL];
    private Completion[] completions = new Completion[INITIAL];
    private int count;
    /** Whether a batch was carried out at once since the last fence. */
    private boolean unfenced;

    /**
     * No batch is posted yet.
     *
     * @param polled takes the completions of batches that find no peer; drained by the worker's poll after {@link #carryOut}
     */
    public PostedBatches(PolledCompletions polled) {
        this.polled = polled;
    }

    /**
     * Takes a batch for the next {@link #carryOut}.
     *
     * @throws IllegalArgumentException when the peer has no such region; the completion gets no result, and no request takes effect
     * @throws IndexOutOfBoundsException when an address or offset is outside its region, with the same effects
     */
    public void post(PostedBatch batch, Completion completion) {
        boolean reached = batch.close(prefetch) != null;
        completion.add();
        if (!reached) {
            polled.add(completion, batch.peer());
            batch.recycle();
            return;
        }
        if (count == batches.length) {
            batches = Arrays.copyOf(batches, count * 2);
            completions = Arrays.copyOf(completions, count * 2);
        }
        batches[count] = batch;
        completions[count++] = completion;
    }

    /**
     * Carries out a batch that has no cache misses to wait for, and completes it. Its WRITEs are not fenced before the next {@link #carryOut}, as a fence
     * would wait for the lines that they write. They take effect before all that this worker writes later, so whoever learns of the completion sees them.
     *
     * @throws IllegalArgumentException when the peer has no such region; the completion gets no result, and no request takes effect
     * @throws IndexOutOfBoundsException when an address or offset is outside its region, with the same effects
     */
    public void carryOutNow(PostedBatch batch, Completion completion) {
        Memory[] regions = batch.close(atOnce);
        atOnce.fetch();
        completion.addDoneAtOnce();
        if (regions != null) {
            unfenced |= batch.carryOut(regions);
            completion.succeed();
        } else {
            completion.fail(batch.peer());
        }
        batch.recycle();
    }

    /** The memory of a peer is about to go: what was going to be fetched may be gone by the next poll. */
    public void forgetPrefetch() {
        prefetch.forget();
    }

    /**
     * Carries the posted batches out, in order, completes them and returns them to their pool. A batch fails if its peer is gone, even if a later
     * incarnation has taken the peer's place. This runs no coroutine, so no batch is posted meanwhile.
     *
     * @return the number of batches that succeeded
     */
    public int carryOut() {
        int posted = count;
        int failed = 0;
        prefetch.fetch();
        fence(); // no READ passes a WRITE that was carried out at once
        for (int i = 0; i < posted; i++) {
            Memory[] regions = batches[i].reach();
            if (regions != null) {
                unfenced |= batches[i].carryOut(regions);
            } else {
                polled.add(completions[i], batches[i].peer());
                completions[i] = null;
                failed++;
            }
        }
        fence();
        for (int i = 0; i < posted; i++) {
            batches[i].recycle();
            batches[i] = null;
            if (completions[i] != null) {
                completions[i].succeed();
                completions[i] = null;
            }
        }
        count = 0;
        return posted - failed;
    }

    private void fence() {
        if (unfenced) {
            VarHandle.fullFence();
            unfenced = false;
        }
    }
}
