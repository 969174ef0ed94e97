package dev.rcc.transport.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.core.fabric.PeerUnreachable;
import dev.rcc.transport.ExpectedLog;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The promises of every {@link Control}. */
abstract class ControlContract {
    /** Only ends a test that hangs: no test waits for it. */
    static final long HANG_SECONDS = 60;

    /** The nodes under test, with the faults that tests inject. */
    interface Cluster extends AutoCloseable {
        /** A node, in a new incarnation if it had one; not started. */
        Control join(int node) throws Exception;

        /** Ends a node as if its process were killed. */
        void kill(int node);

        /** Cuts the link between two nodes: nothing arrives any more. */
        void cut(int one, int other);

        /** Heals a link that was cut: everything arrives again. */
        void heal(int one, int other);

        @Override
        void close();
    }

    /** Records events of peers. */
    static final class Events implements Control.Listener {
        private final LinkedBlockingQueue<String> events = new LinkedBlockingQueue<>();

        @Override
        public void up(int peer, long incarnation) {
            events.add("up " + peer + " in incarnation " + incarnation);
        }

        @Override
        public void down(int peer) {
            events.add("down " + peer);
        }

        /** Waits for the next event, which must be {@code event}. */
        void expect(String event) throws InterruptedException {
            assertThat(events.poll(HANG_SECONDS, TimeUnit.SECONDS)).isEqualTo(event);
        }

        void expectUp(Control peer) throws InterruptedException {
            expect("up " + peer.node() + " in incarnation " + peer.incarnation());
        }

        void expectNothing() {
            assertThat(events).isEmpty();
        }
    }

    private final ExpectedLog log = new ExpectedLog("dev.rcc.transport");
    /** Pending answers. */
    private final List<CompletableFuture<byte[]>> later = new CopyOnWriteArrayList<>();

    private Cluster cluster;

    @BeforeEach
    void expectLog() {
        log.expect(); // messages of peers that leave, and of handlers that fail
    }

    abstract Cluster cluster(int nodes) throws Exception;

    @AfterEach
    void closeCluster() {
        if (cluster != null) {
            cluster.close();
        }
        log.close();
    }

    private Control join(int node, Events events) throws Exception {
        Control control = cluster.join(node);
        control.listen(events);
        control.serve("echo", (peer, question) -> text("node " + node + " to " + peer + ": " + text(question)));
        control.serveLater("later", (peer, question) -> {
            CompletableFuture<byte[]> answer = new CompletableFuture<>();
            if (later.size() < 2) {
                later.add(answer);
            } else { // the last question completes the other answers
                later.forEach(each -> each.complete(question));
                answer.completeExceptionally(new ControlFailure("refused on purpose by this test"));
            }
            return answer;
        });
        control.serve("broken", (peer, question) -> {
            throw new IllegalStateException("thrown on purpose by this test");
        });
        return control;
    }

    static byte[] text(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String text(byte[] text) {
        return new String(text, StandardCharsets.UTF_8);
    }

    @ParameterizedTest
    @CsvSource({"0, 1", "1, 0"})
    void shouldFindPeersInAnyStartOrder(int first, int second) throws Exception {
        cluster = cluster(2);
        Events[] events = {new Events(), new Events()};
        Control[] controls = {join(0, events[0]), join(1, events[1])};
        assertThat(controls[first].isUp(first)).isFalse();
        controls[first].start();
        events[first].expectUp(controls[first]);
        assertThat(controls[first].isUp(first)).isTrue();
        assertThat(controls[first].isUp(second)).isFalse();
        controls[second].start();
        events[first].expectUp(controls[second]);
        assertThat(controls[first].isUp(second)).isTrue();
        assertThat(controls[first].nodes()).isEqualTo(2);
        assertThat(controls[second].node()).isEqualTo(second);
    }

    @Test
    void shouldAnswerQuestionsOfPeersAndOfTheNodeItself() throws Exception {
        cluster = cluster(3);
        Control[] controls = startAll(3);
        for (Control asker : controls) {
            for (Control asked : controls) {
                byte[] answer = controls[asker.node()]
                        .ask(asked.node(), "echo", text("hello"))
                        .get(HANG_SECONDS, TimeUnit.SECONDS);
                assertThat(text(answer)).isEqualTo("node " + asked.node() + " to " + asker.node() + ": hello");
            }
        }
    }

    // Goal: a node that takes time to answer one question answers later questions meanwhile.
    @Test
    void shouldAnswerLater() throws Exception {
        cluster = cluster(2);
        Control[] controls = startAll(2);
        CompletableFuture<byte[]> first = controls[0].ask(1, "later", text("first"));
        assertThat(text(controls[0].ask(1, "echo", text("hello")).get(HANG_SECONDS, TimeUnit.SECONDS)))
                .isEqualTo("node 1 to 0: hello");
        CompletableFuture<byte[]> second = controls[1].ask(1, "later", text("second"));
        controls[1].ask(1, "echo", text("hello")).get(HANG_SECONDS, TimeUnit.SECONDS);
        assertThat(first).isNotDone();
        assertThat(second).isNotDone();
        assertThatThrownBy(join(controls[0].ask(1, "later", text("third")))::call)
                .isInstanceOf(ControlFailure.class)
                .hasMessage("refused on purpose by this test");
        assertThat(text(first.get(HANG_SECONDS, TimeUnit.SECONDS))).isEqualTo("third");
        assertThat(text(second.get(HANG_SECONDS, TimeUnit.SECONDS))).isEqualTo("third");
    }

    // Goal: a node that is notified that a peer is up can ask it at once, even during the notification.
    @Test
    void shouldAnswerQuestionsAskedDuringTheUpNotification() throws Exception {
        cluster = cluster(2);
        Control[] controls = {join(0, new Events()), join(1, new Events())};
        LinkedBlockingQueue<String> answers = new LinkedBlockingQueue<>();
        for (Control control : controls) {
            control.listen(new Control.Listener() {
                @Override
                public void up(int peer, long incarnation) {
                    if (peer != control.node()) {
                        answers.add(text(control.ask(peer, "echo", text("?")).join()));
                    }
                }

                @Override
                public void down(int peer) {}
            });
        }
        controls[0].start();
        controls[1].start();
        assertThat(new String[] {
                    answers.poll(HANG_SECONDS, TimeUnit.SECONDS), answers.poll(HANG_SECONDS, TimeUnit.SECONDS)
                })
                .containsExactlyInAnyOrder("node 1 to 0: ?", "node 0 to 1: ?");
    }

    @Test
    void shouldReportTheNodeAndReasonOfAFailedQuestion() throws Exception {
        cluster = cluster(2);
        Control[] controls = startAll(2);
        for (int asked = 0; asked < 2; asked++) {
            assertThatThrownBy(join(controls[0].ask(asked, "broken", new byte[0]))::call)
                    .isInstanceOf(ControlFailure.class)
                    .hasMessageContainingAll("node " + asked, "on purpose");
            assertThatThrownBy(join(controls[0].ask(asked, "unheard of", new byte[0]))::call)
                    .isInstanceOf(ControlFailure.class)
                    .hasMessageContainingAll("node " + asked, "unheard of");
        }
    }

    @Test
    void shouldFailQuestionsToAPeerThatIsNotThere() throws Exception {
        cluster = cluster(2);
        Control control = join(0, new Events());
        assertUnreachable(control, 0);
        control.start();
        assertUnreachable(control, 1);
        control.close();
        assertUnreachable(control, 1);
        assertUnreachable(control, 0);
        control.close();
    }

    @Test
    void shouldReportAKilledPeerDownAndItsNextIncarnationUp() throws Exception {
        for (int killed = 0; killed < 2; killed++) {
            cluster = cluster(2);
            Events[] events = {new Events(), new Events()};
            Control[] controls = {join(0, events[0]), join(1, events[1])};
            controls[0].start();
            controls[1].start();
            int witness = 1 - killed;
            events[witness].expectUp(controls[witness]);
            events[witness].expectUp(controls[killed]);
            for (int incarnation = 0; incarnation < 3; incarnation++) {
                cluster.kill(killed);
                events[witness].expect("down " + killed);
                assertThat(controls[witness].isUp(killed)).isFalse();
                assertUnreachable(controls[witness], killed);
                Control reborn = join(killed, new Events());
                assertThat(reborn.incarnation()).isGreaterThan(controls[killed].incarnation());
                controls[killed] = reborn;
                reborn.start();
                events[witness].expectUp(reborn);
                assertThat(text(controls[witness].ask(killed, "echo", text("?")).get(HANG_SECONDS, TimeUnit.SECONDS)))
                        .isEqualTo("node " + killed + " to " + witness + ": ?");
            }
            events[witness].expectNothing();
            cluster.close();
        }
    }

    @Test
    void shouldNotifyBothNodesWhenTheirLinkIsCutAndHealed() throws Exception {
        cluster = cluster(2);
        Events[] events = {new Events(), new Events()};
        Control[] controls = {join(0, events[0]), join(1, events[1])};
        for (int node = 0; node < 2; node++) {
            controls[node].start();
            events[node].expectUp(controls[node]);
        }
        for (int round = 0; round < 2; round++) {
            for (int node = 0; node < 2; node++) {
                events[node].expectUp(controls[1 - node]);
            }
            cluster.cut(0, 1);
            for (int node = 0; node < 2; node++) {
                events[node].expect("down " + (1 - node));
                assertThat(controls[node].isUp(1 - node)).isFalse();
            }
            cluster.heal(0, 1);
        }
    }

    @Test
    void shouldReportItsOwnNodeDownOnlyOnce() throws Exception {
        cluster = cluster(1);
        Events events = new Events();
        Control control = join(0, events);
        control.start();
        events.expectUp(control);
        control.close();
        events.expect("down 0");
        control.close();
        events.expectNothing();
    }

    @Test
    void shouldRefuseASecondHandlerForATopic() throws Exception {
        cluster = cluster(1);
        Control control = join(0, new Events());
        assertThatThrownBy(() -> control.serve("echo", (peer, question) -> question))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("echo");
    }

    private Control[] startAll(int nodes) throws Exception {
        Control[] controls = new Control[nodes];
        Events[] events = new Events[nodes];
        for (int node = 0; node < nodes; node++) {
            events[node] = new Events();
            controls[node] = join(node, events[node]);
        }
        for (Control control : controls) {
            control.start();
        }
        for (Events ofNode : events) {
            for (int i = 0; i < nodes; i++) {
                assertThat(ofNode.events.poll(HANG_SECONDS, TimeUnit.SECONDS)).startsWith("up");
            }
        }
        return controls;
    }

    private static void assertUnreachable(Control control, int peer) {
        assertThatThrownBy(join(control.ask(peer, "echo", new byte[0]))::call)
                .isInstanceOfSatisfying(
                        PeerUnreachable.class, e -> assertThat(e.peer()).isEqualTo(peer));
    }

    private static Callable<byte[]> join(CompletableFuture<byte[]> answer) {
        return () -> {
            try {
                return answer.orTimeout(HANG_SECONDS, TimeUnit.SECONDS).join();
            } catch (CompletionException e) {
                throw e.getCause() instanceof RuntimeException cause ? cause : e;
            }
        };
    }
}
