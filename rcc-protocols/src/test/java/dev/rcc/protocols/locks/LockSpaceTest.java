package dev.rcc.protocols.locks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.memory.RemoteAddress;
import org.junit.jupiter.api.Test;

class LockSpaceTest {
    @Test
    void shouldSpreadItsLocksOverTheNodes() {
        LockSpace space = new LockSpace(2, 3, 7);
        assertThat(space.regionBytes()).isEqualTo(3 * LockSpace.LOCK_BYTES);
        for (long lock = 0; lock < 7; lock++) {
            long address = space.address(lock);
            assertThat(RemoteAddress.node(address)).isEqualTo((int) (lock % 3));
            assertThat(RemoteAddress.offset(address)).isLessThan(space.regionBytes());
            assertThat(space.lock(address)).isEqualTo(lock);
        }
        assertThatThrownBy(() -> space.address(7)).hasMessageContaining("no lock 7: this space has 0 to 6");
    }

    @Test
    void shouldRefuseASpaceWithoutLocks() {
        assertThatThrownBy(() -> new LockSpace(2, 1, 0)).hasMessageContaining("got 1 and 0");
    }
}
