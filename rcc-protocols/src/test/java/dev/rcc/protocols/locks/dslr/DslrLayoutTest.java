package dev.rcc.protocols.locks.dslr;

import static dev.rcc.protocols.locks.LockMode.EXCLUSIVE;
import static dev.rcc.protocols.locks.LockMode.SHARED;
import static dev.rcc.protocols.locks.LockMode.UPDATE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.protocols.locks.LockMode;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** No field of a lock's two words overlaps another, up to its limits. */
class DslrLayoutTest {
    private static final int REQUESTERS_PLAIN = 32_768;
    private static final int REQUESTERS_UPDATES = 512;

    private static List<LockMode> modes(DslrLayout layout) {
        return layout.hasUpdates() ? List.of(SHARED, UPDATE, EXCLUSIVE) : List.of(SHARED, EXCLUSIVE);
    }

    private static DslrLayout layout(boolean updates) {
        return DslrLayout.of(updates, 0);
    }

    private static long fieldMax(boolean updates) {
        return updates ? 1023 : 65_535;
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldCountInEachFieldUpToItsEndWithoutACarry(boolean updates) {
        DslrLayout layout = layout(updates);
        for (LockMode mode : modes(layout)) {
            long word = 0;
            for (long i = 0; i < fieldMax(updates); i++) {
                word += layout.ticket(mode, 1);
            }
            assertThat(layout.next(word, mode)).isEqualTo(fieldMax(updates));
            for (long i = 0; i < fieldMax(updates); i++) {
                word += layout.handBack(mode, 1);
            }
            assertThat(layout.served(word, mode)).isEqualTo(fieldMax(updates));
            for (LockMode other : modes(layout)) {
                if (other != mode) {
                    assertThat(layout.next(word, other)).as("next %s", other).isZero();
                    assertThat(layout.served(word, other))
                            .as("served %s", other)
                            .isZero();
                }
            }
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldKeepAllFieldsApartWhenAllAreFull(boolean updates) {
        DslrLayout layout = layout(updates);
        long word = 0;
        for (LockMode mode : modes(layout)) {
            word += layout.ticket(mode, (int) fieldMax(updates)) + layout.handBack(mode, (int) fieldMax(updates));
        }
        for (LockMode mode : modes(layout)) {
            assertThat(layout.next(word, mode)).isEqualTo(fieldMax(updates));
            assertThat(layout.served(word, mode)).isEqualTo(fieldMax(updates));
        }
        assertThat(layout.isAtRest(word)).isTrue();
        assertThat(word).isEqualTo(updates ? (1L << 60) - 1 : -1L);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldBeFullFromTheLimitOnInAnyField(boolean updates) {
        DslrLayout layout = layout(updates);
        for (LockMode mode : modes(layout)) {
            assertThat(layout.isFull(layout.ticket(mode, (int) layout.countMax() - 1)))
                    .isFalse();
            assertThat(layout.isFull(layout.ticket(mode, (int) layout.countMax())))
                    .isTrue();
        }
    }

    // Tickets beyond the limit must fit between the limit and the end of the field.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldHaveRoomForAVoidTicketOfEachRequester(boolean updates) {
        DslrLayout layout = layout(updates);
        int requesters = updates ? REQUESTERS_UPDATES : REQUESTERS_PLAIN;
        layout.checkRequesters(requesters, 1);
        long word = layout.ticket(SHARED, (int) layout.countMax() - 1);
        for (int i = 0; i < requesters; i++) {
            word += layout.ticket(SHARED, 1);
        }
        assertThat(layout.next(word, SHARED)).isEqualTo(fieldMax(updates));
        assertThat(layout.next(word, EXCLUSIVE)).isZero();
        assertThatThrownBy(() -> layout.checkRequesters(requesters + 1, 1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(requesters + 1 + " coroutines")
                .hasMessageContaining("allowed are " + requesters + " coroutines");
        assertThatThrownBy(() -> layout.checkRequesters(requesters, 2))
                .hasMessageContaining("allowed are " + requesters / 2);
    }

    @Test
    void shouldRefuseALimitBeyondHalfOfAField() {
        assertThat(DslrLayout.of(false, 32_768).countMax()).isEqualTo(32_768);
        assertThatThrownBy(() -> DslrLayout.of(false, 32_769)).hasMessageContaining("1 to 32768, got 32769");
        assertThatThrownBy(() -> DslrLayout.of(true, 513)).hasMessageContaining("1 to 512, got 513");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldMoveTheFenceOnWithEachReset(boolean updates) {
        DslrLayout layout = layout(updates);
        long fence = layout.reset(0, 0, 3, 5, updates ? 7 : 0);
        assertThat(layout.generation(fence)).isEqualTo(1);
        assertThat(layout.resetTo(fence, SHARED)).isEqualTo(3);
        assertThat(layout.resetTo(fence, EXCLUSIVE)).isEqualTo(5);
        assertThat(layout.resetTo(fence, UPDATE)).isEqualTo(updates ? 7 : 0);
        assertThat(layout.isZeroing(fence)).isFalse();
        long zeroing = layout.nextEra(fence);
        assertThat(DslrLayout.era(layout.generation(zeroing))).isEqualTo(1);
        assertThat(layout.isZeroing(zeroing)).isTrue();
        assertThat(layout.generation(layout.zeroed(zeroing))).isEqualTo(layout.generation(zeroing));
        long recovered = layout.recovered(fence);
        assertThat(layout.generation(recovered)).isEqualTo(layout.generation(zeroing));
        assertThat(layout.isZeroing(recovered)).isFalse();
    }

    // Tickets whose numbers a reset of the next era does not cover are void by their era.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldMakeAllTicketsVoidWhenAnEraHasHadTooManyResets(boolean updates) {
        DslrLayout layout = layout(updates);
        long counters = layout.ticket(SHARED, 40) + layout.ticket(EXCLUSIVE, 50);
        long fence = 0;
        for (int i = 1; i <= 15; i++) {
            fence = layout.reset(fence, counters, i, i, 0);
            assertThat(DslrLayout.era(layout.generation(fence))).isZero();
            assertThat(layout.resetTo(fence, SHARED)).isEqualTo(i);
        }
        fence = layout.reset(fence, counters, 16, 16, 0);
        assertThat(DslrLayout.era(layout.generation(fence))).isEqualTo(1);
        assertThat(layout.resetTo(fence, SHARED)).isEqualTo(40);
        assertThat(layout.resetTo(fence, EXCLUSIVE)).isEqualTo(50);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shouldFailWhenAllGenerationsAreUsedUp(boolean updates) {
        DslrLayout layout = layout(updates);
        long last = updates ? ((1L << 32) - 1) << 30 : ((1L << 30) - 1) << 32;
        assertThat(layout.generation(last)).isEqualTo(updates ? (1L << 32) - 1 : (1L << 30) - 1);
        assertThatThrownBy(() -> layout.nextEra(last)).hasMessageContaining("has used up its");
        assertThatThrownBy(() -> layout.reset(last, 0, 0, 0, 0)).hasMessageContaining("has used up its");
        assertThatThrownBy(() -> layout.resetAll(last, 0)).hasMessageContaining("has used up its");
    }

    @Test
    void shouldTakeACompletedResetForComplete() {
        DslrLayout layout = layout(false);
        long counters = layout.ticket(SHARED, 4) + layout.ticket(EXCLUSIVE, 6) + layout.handBack(EXCLUSIVE, 2);
        long fence = layout.reset(0, counters, 3, 5, 0);
        assertThat(layout.isIncomplete(counters, fence)).isTrue();
        long completed = layout.complete(counters, fence);
        assertThat(layout.served(completed, EXCLUSIVE)).isEqualTo(5);
        assertThat(layout.served(completed, SHARED)).isEqualTo(3);
        assertThat(layout.next(completed, EXCLUSIVE)).isEqualTo(6);
        assertThat(layout.isIncomplete(completed, fence)).isFalse();
        long later = completed + layout.handBack(EXCLUSIVE, 1);
        assertThat(layout.complete(later, fence)).as("never back").isEqualTo(later);
    }
}
