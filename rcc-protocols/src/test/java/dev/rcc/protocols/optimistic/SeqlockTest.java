package dev.rcc.protocols.optimistic;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.store.TableSchema;
import dev.rcc.core.store.TupleLayout;
import java.lang.foreign.Arena;
import org.junit.jupiter.api.Test;

/** Reads by the CPU of the owning node, against an installer on another thread. */
class SeqlockTest {
    private static final int RECORD_BYTES = 1024;
    private static final int COPIES = 100_000;
    private static final int OF_EACH_KIND = 1_000;

    private final LockRules rules = new LeaseRules();
    private final TupleLayout t =
            new TupleLayout(rules.metadataBytes(), TableSchema.ofLongKeys(0, "wide", RECORD_BYTES, 1));
    private final Memory memory = Memory.allocate(Arena.ofAuto(), t.tupleBytes());
    private final Memory copy = Memory.allocate(Arena.ofAuto(), t.tupleBytes());

    private volatile boolean enough;

    @Test
    void shouldAcceptOnlyWholeCopies() throws InterruptedException {
        Thread installer = new Thread(this::installMany, "installer");
        installer.setDaemon(true);
        installer.start();
        int accepted = 0;
        int refused = 0;
        long last = 0;
        while (accepted + refused < COPIES || accepted < OF_EACH_KIND || refused < OF_EACH_KIND) {
            if (Seqlock.copy(rules, 1, memory, 0, t, t.tupleBytes(), copy, 0)) {
                long version = copy.getLong(t.versionOffset());
                for (int i = 0; i < RECORD_BYTES; i += Memory.WORD_BYTES) {
                    assertThat(copy.getLong(t.recordOffset() + i)).isEqualTo(version);
                }
                assertThat(version).isGreaterThanOrEqualTo(last);
                last = version;
                accepted++;
            } else {
                refused++;
            }
        }
        enough = true;
        installer.join();
    }

    private void installMany() {
        for (long version = 1; !enough; version++) {
            memory.putRelease(0, LeaseRules.lockedBy(1, 77) | LeaseRules.INSTALLING);
            Memory.storeFence();
            for (int i = 0; i < RECORD_BYTES; i += Memory.WORD_BYTES) {
                memory.putLong(t.recordOffset() + i, version);
            }
            memory.putRelease(t.versionOffset(), version);
            memory.putRelease(0, LeaseRules.free(1));
            for (long i = 0; i < version % 64; i++) {
                Thread.onSpinWait(); // let some copies through
            }
        }
    }
}
