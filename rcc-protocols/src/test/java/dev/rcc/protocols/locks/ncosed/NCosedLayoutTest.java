package dev.rcc.protocols.locks.ncosed;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.memory.RemoteAddress;
import dev.rcc.core.protocol.Primitive;
import dev.rcc.protocols.locks.LockCounters;
import dev.rcc.protocols.locks.LockSite;
import dev.rcc.protocols.locks.LockToken;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;

class NCosedLayoutTest {
    @Test
    void shouldNameTheFirstAndTheLastPlace() {
        assertThat(NCosedLayout.place(0, 0, 0)).as("0 says that there is none").isPositive();
        checkPlace(0, 0, 0);
        checkPlace(NCosedLayout.NODES_MAX - 1, 0, 0);
        checkPlace(0, NCosedLayout.WORKERS_MAX - 1, 0);
        checkPlace(0, 0, NCosedLayout.PLACES_MAX - 1);
        checkPlace(NCosedLayout.NODES_MAX - 1, NCosedLayout.WORKERS_MAX - 1, NCosedLayout.PLACES_MAX - 1);
    }

    private static void checkPlace(int node, int worker, int index) {
        long place = NCosedLayout.place(node, worker, index);
        assertThat(NCosedLayout.node(place)).isEqualTo(node);
        assertThat(NCosedLayout.worker(place)).isEqualTo(worker);
        assertThat(NCosedLayout.index(place)).isEqualTo(index);
        long word = NCosedLayout.word(place, 0xFFFF_FFFFL);
        assertThat(NCosedLayout.tail(word)).isEqualTo(place);
        assertThat(NCosedLayout.sharers(word)).isEqualTo(0xFFFF_FFFFL);
    }

    @Test
    void shouldNameEveryNodeThatHasAnAddress() {
        assertThat(NCosedLayout.NODES_MAX).isGreaterThan(RemoteAddress.MAX_NODE);
    }

    @Test
    void shouldCountASharerByAddingOne() {
        long tail = NCosedLayout.place(3, 2, 1);
        assertThat(NCosedLayout.word(tail, 6) + 1).isEqualTo(NCosedLayout.word(tail, 7));
    }

    @Test
    void shouldHaveSharersBetweenTheExclusiveHoldersBeforeAndBehind() {
        long[] inOrder = {
            NCosedLayout.token(1, 0, false),
            NCosedLayout.token(1, 0, true),
            NCosedLayout.token(1, 1, false),
            NCosedLayout.token(1, 1, true),
            NCosedLayout.token(1, (1L << 48) - 1, true),
            NCosedLayout.token(2, 0, false)
        };
        assertThat(inOrder).isSorted().doesNotHaveDuplicates();
        assertThat(LockToken.epoch(inOrder[4])).isEqualTo(1);
    }

    @Test
    void shouldRefuseATokenBeyondTheLast() {
        assertThatThrownBy(() -> NCosedLayout.token(1, 1L << 48, false)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void shouldRefuseATimeOutOfNothing() {
        assertThatThrownBy(() -> new NCosed(0)).hasMessageContaining("got 0 ns");
    }

    @Test
    void shouldRefuseAClusterThatAWordCannotName() {
        assertThatThrownBy(() -> new NCosed(1).serve(site(NCosedLayout.NODES_MAX + 1)))
                .hasMessageContaining("got 512 nodes")
                .hasMessageContaining("at most 511 and 512");
        List<LockSite> workers = Collections.nCopies(NCosedLayout.WORKERS_MAX + 1, site(2));
        assertThatThrownBy(() -> new NCosed(1).serveNode(workers)).hasMessageContaining("513 workers");
    }

    private static LockSite site(int nodes) {
        return new LockSite(null, null, region -> null, nodes, 8, Primitive.RPC, 1, null, () -> 1, new LockCounters());
    }
}
