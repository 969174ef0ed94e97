package dev.rcc.transport.composite;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.ControlFailure;
import dev.rcc.transport.control.JvmControl;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Node 0's network reaches node 1, and not node 2. */
class PartialControlTest {
    private static final byte[] QUESTION = {1, 2};

    private final JvmControl.Cluster cluster = new JvmControl.Cluster(3);
    private final JvmControl[] whole = new JvmControl[3];
    private final List<String> heard = new CopyOnWriteArrayList<>();
    private PartialControl partial;

    @BeforeEach
    void join() {
        for (int node = 0; node < whole.length; node++) {
            whole[node] = cluster.join(node);
        }
        partial = new PartialControl(whole[0], peer -> peer != 2);
        partial.serve("net", (peer, question) -> question);
        partial.listen(new Control.Listener() {
            @Override
            public void up(int peer, long incarnation) {
                heard.add("up " + peer + (incarnation == whole[peer].incarnation() ? "" : " of another incarnation"));
            }

            @Override
            public void down(int peer) {
                heard.add("down " + peer);
            }
        });
        for (int node = 1; node < whole.length; node++) {
            whole[node].serve("net", (peer, question) -> question);
            whole[node].start();
        }
        whole[0].start();
        cluster.awaitEvents(0);
    }

    @AfterEach
    void close() {
        for (JvmControl control : whole) {
            control.close();
        }
    }

    @Test
    void shouldBeOfTheSameNode() {
        assertThat(partial.node()).isZero();
        assertThat(partial.nodes()).isEqualTo(3);
        assertThat(partial.incarnation()).isEqualTo(whole[0].incarnation());
    }

    // Goal: a network never makes a link to a peer that it does not reach, so it is never notified of that
    // peer.
    @Test
    void shouldBeNotifiedOnlyOfPeersOfItsOwnNetwork() {
        assertThat(heard).containsExactly("up 0", "up 1");
        assertThat(partial.isUp(0)).isTrue();
        assertThat(partial.isUp(1)).isTrue();
        assertThat(partial.isUp(2)).isFalse();
        assertThat(whole[0].isUp(2)).isTrue();
        cluster.cut(0, 2);
        cluster.cut(0, 1);
        cluster.awaitEvents(0);
        assertThat(heard).containsExactly("up 0", "up 1", "down 1");
        assertThat(partial.isUp(1)).isFalse();
    }

    // Goal: a peer that the network does not reach never receives the data that opens the node's memory.
    @Test
    void shouldAnswerOnlyPeersOfItsOwnNetwork() {
        assertThat(whole[1].ask(0, "net", QUESTION).join()).isEqualTo(QUESTION);
        assertThatThrownBy(() -> whole[2].ask(0, "net", QUESTION).join())
                .isInstanceOf(CompletionException.class)
                .cause()
                .isInstanceOf(ControlFailure.class)
                .hasMessage("node 0 and node 2 do not meet on the network net");
    }

    @Test
    void shouldAskOnlyPeersOfItsOwnNetwork() {
        assertThat(partial.ask(1, "net", QUESTION).join()).isEqualTo(QUESTION);
        assertThat(partial.askOthers("net", QUESTION)).hasSize(1);
        assertThatIllegalArgumentException().isThrownBy(() -> partial.ask(2, "net", QUESTION));
    }

    @Test
    void shouldLeaveTheChannelToItsOwner() {
        assertThatThrownBy(partial::start).isInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(partial::close).isInstanceOf(UnsupportedOperationException.class);
        assertThat(whole[0].isUp(1)).isTrue();
    }
}
