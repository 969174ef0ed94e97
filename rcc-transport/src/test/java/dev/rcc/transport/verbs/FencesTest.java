package dev.rcc.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FencesTest {
    private static final int RECORDS = 10;

    private final Fences fences = new Fences();

    @Test
    void shouldNeedNoFenceWhenAllAtomicsComeBeforeTheReads() {
        fences.begin();
        int count = 0;
        for (int i = 0; i < RECORDS; i++) {
            count += fences.atomic(8L * i) ? 1 : 0;
        }
        for (int i = 0; i < RECORDS; i++) {
            fences.read();
        }
        assertThat(count).isZero();
    }

    // The cost of a batch with alternating locks and reads: each record but the first waits for the one
    // before.
    @Test
    void shouldNeedAFenceForEachAtomicBehindARead() {
        fences.begin();
        int count = 0;
        for (int i = 0; i < RECORDS; i++) {
            count += fences.atomic(8L * i) ? 1 : 0;
            fences.read();
        }
        assertThat(count).isEqualTo(RECORDS - 1);
    }

    @Test
    void shouldNeedOneFenceForAllReadsBeforeAWrite() {
        fences.begin();
        fences.read();
        fences.read();
        assertThat(fences.write(0, 64)).isTrue();
        assertThat(fences.writeWord()).isFalse();
        assertThat(fences.atomic(0)).isFalse();
    }

    @Test
    void shouldNeedAFenceWhenAWriteSendsTheResultOfAnAtomic() {
        fences.begin();
        assertThat(fences.atomic(16)).isFalse();
        assertThat(fences.write(24, 64)).isFalse();
        assertThat(fences.write(8, 16)).isTrue();
        assertThat(fences.write(8, 16)).isFalse();
    }
}
