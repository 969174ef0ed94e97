package dev.rcc.transport.verbs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.transport.PeerGates;
import dev.rcc.transport.control.Control;
import dev.rcc.transport.control.JvmControl;
import java.lang.reflect.Proxy;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The parts that need no device: how the linker shares the control channel with the rest of the node. */
@Timeout(60)
class LinkerTest {
    private static final byte NOTICE = 1;

    private final JvmControl.Cluster cluster = new JvmControl.Cluster(2);
    private final JvmControl node = cluster.join(0);
    private final JvmControl peer = cluster.join(1);
    private final CountDownLatch busy = new CountDownLatch(1);
    private final CountDownLatch free = new CountDownLatch(1);

    // Goal: a link that takes long to make does not keep the node from answering, and from seeing who has gone.
    @Test
    void shouldNotHoldUpTheControlChannelWhileItIsBusy() throws Exception {
        Linker linker = new Linker(null, slow(), VerbsOptions.DEFAULT, new PeerGates(0, 2));
        CountDownLatch down = new CountDownLatch(1);
        node.serve("other", (from, question) -> question);
        node.listen(new Control.Listener() {
            @Override
            public void up(int of, long incarnation) {}

            @Override
            public void down(int of) {
                down.countDown();
            }
        });
        node.start();
        peer.start();
        // Has the lock until it fails, as there is no device.
        CompletableFuture<?> _ = CompletableFuture.runAsync(() -> linker.fence(1));
        busy.await();
        CompletableFuture<byte[]> late = peer.ask(0, "verbs", new byte[] {NOTICE, 0, 0, 0, 0});
        assertThat(peer.ask(0, "other", new byte[] {7}).get()).containsExactly(7);
        cluster.kill(1);
        down.await();
        assertThat(late).isNotDone();
        free.countDown();
        assertThat(late.get()).isEmpty();
    }

    /** The node's control, which is slow to say whether a peer is up. */
    private Control slow() {
        return (Control) Proxy.newProxyInstance(
                getClass().getClassLoader(), new Class<?>[] {Control.class}, (proxy, method, arguments) -> {
                    if (method.getName().equals("isUp")) {
                        busy.countDown();
                        free.await();
                        return false;
                    }
                    return method.invoke(node, arguments);
                });
    }
}
