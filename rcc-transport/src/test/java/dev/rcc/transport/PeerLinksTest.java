package dev.rcc.transport;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Node 1 of 3: it leads node 2, and node 0 leads it. A link is a string. */
class PeerLinksTest implements PeerLinks.Network<String> {
    private static final int NODE = 1;
    private static final int LEADER = 0;
    private static final int PEER = 2;

    private final Set<Integer> up = new HashSet<>();
    private final PeerGates gates = new PeerGates(NODE, 3);
    private final PeerLinks<String> links = new PeerLinks<>(this, NODE, 3, up::contains, gates, this);
    private final List<String> done = new ArrayList<>();
    private Runnable again;
    private int attempt;

    @Override
    public boolean leads(int peer) {
        return peer > NODE;
    }

    @Override
    public void ask(int peer, int number) {
        attempt = number;
        done.add("ask " + peer);
    }

    @Override
    public void prompt(int peer) {
        done.add("prompt " + peer);
    }

    @Override
    public void use(int peer, String link) {
        assertThat(links.using(peer)).isEqualTo(link);
        done.add("use " + link);
    }

    @Override
    public void drop(int peer, String link, String why) {
        assertThat(links.using(peer)).isNull();
        done.add("drop " + link + ": " + why);
    }

    @Override
    public void retry(int peer, int failures, Runnable next) {
        again = next;
        done.add("retry " + peer + " after " + failures);
    }

    private void expect(String... calls) {
        assertThat(done).containsExactly(calls);
        done.clear();
    }

    private void peerUp() {
        up.add(PEER);
        links.up(PEER, 7);
    }

    private void peerDown() {
        up.remove(PEER);
        links.down(PEER);
    }

    private void asked() {
        links.start();
        peerUp();
        expect("ask 2");
    }

    private void begun(long incarnation, String link) {
        assertThat(links.begun(PEER, attempt, incarnation, link)).isTrue();
    }

    private void linked(long incarnation, String link) {
        asked();
        begun(incarnation, link);
        assertThat(links.made(PEER, link)).isTrue();
        expect("use " + link);
    }

    @Test
    void shouldAskThePeersItLeadsAndPromptItsLeadersOnceItHasStarted() {
        up.addAll(Set.of(LEADER, NODE, PEER));
        links.want(LEADER);
        links.want(PEER);
        expect();

        links.start();

        expect("prompt 0", "ask 2");
    }

    @Test
    void shouldUseALinkWhenAllOfItIsThere() {
        asked();
        begun(7, "a");
        assertThat(links.current(PEER)).isEqualTo("a");
        assertThat(links.using(PEER)).isNull();

        assertThat(links.made(PEER, "a")).isTrue();

        expect("use a");
        links.want(PEER);
        expect();
    }

    @Test
    void shouldLetInNoIncarnationOfAFencedPeer() {
        links.start();
        links.fence(LEADER);
        for (long incarnation : new long[] {-1, 0, 7}) {
            assertThat(links.accepted(LEADER, incarnation, "a")).isFalse();
        }
    }

    @Test
    void shouldWaitForAPeerThatRefuses() {
        asked();
        links.refused(PEER, attempt);
        expect();
        links.want(PEER);
        expect("ask 2");
    }

    @Test
    void shouldAskAgainIfThereWasAReasonSinceItHadAsked() {
        asked();
        links.want(PEER);
        links.want(PEER);
        expect();
        links.refused(PEER, attempt);
        expect("ask 2");
        links.want(PEER);
        links.failed(PEER, attempt);
        expect("ask 2");
        links.refused(PEER, attempt);
        expect();
    }

    @Test
    void shouldNotAskAPeerAgainThatIsNoLongerUp() {
        asked();
        links.want(PEER);
        up.remove(PEER);
        links.failed(PEER, attempt);
        expect();
        peerUp();
        expect("ask 2");
    }

    @Test
    void shouldTryAgainAfterAFailureAndCountThem() {
        asked();
        links.failed(PEER, attempt);
        expect("retry 2 after 0");
        again.run();
        expect("ask 2");
        begun(7, "a");
        links.ended(PEER, "a");
        expect("retry 2 after 1");
        again.run();
        begun(7, "b");
        links.made(PEER, "b");
        links.ended(PEER, "b");
        assertThat(links.using(PEER)).isNull();
        expect("ask 2", "use b", "retry 2 after 0");
    }

    @Test
    void shouldResetTheFailureCountOfAPeerThatIsAdmitted() {
        asked();
        links.failed(PEER, attempt);
        links.admit(PEER, 7);
        links.failed(PEER, attempt);
        expect("retry 2 after 0", "ask 2", "retry 2 after 0");
    }

    @Test
    void shouldDropTheLinkToAPeerThatGoesDown() {
        linked(7, "a");
        peerDown();
        expect("drop a: its control connection is down");
        links.ended(PEER, "a");
        expect();
        peerUp();
        expect("ask 2");
    }

    @Test
    void shouldTakeNoAnswerToAnAttemptThatIsVoid() {
        asked();
        int before = attempt;
        peerDown();
        peerUp();
        expect("ask 2");

        links.refused(PEER, before);
        links.failed(PEER, before);
        assertThat(links.begun(PEER, before, 7, "old")).isFalse();
        assertThat(links.isAsking(PEER, before)).isFalse();

        expect();
        assertThat(links.current(PEER)).isNull();
        assertThat(links.isAsking(PEER, attempt)).isTrue();
    }

    @Test
    void shouldNotUseALinkThatWasReplaced() {
        asked();
        begun(7, "a");
        links.ended(PEER, "a");
        again.run();
        begun(7, "b");
        assertThat(links.made(PEER, "a")).isFalse();
        links.ended(PEER, "a");
        assertThat(links.current(PEER)).isEqualTo("b");
    }

    @Test
    void shouldCutAPeerOffUntilOneOfItsIncarnationsIsAdmitted() {
        linked(7, "a");
        links.fence(PEER);
        expect("drop a: it is cut off");
        peerDown();
        peerUp();
        expect();

        links.admit(PEER, 8);

        expect("ask 2");
        assertThat(links.begun(PEER, attempt, 7, "b")).isFalse();
        expect("retry 2 after 0");
        again.run();
        begun(8, "c");
        expect("ask 2");
    }

    @Test
    void shouldDropTheLinkToAnotherIncarnationThanTheAdmittedOne() {
        linked(7, "a");
        links.admit(PEER, 7);
        expect();
        links.admit(PEER, 8);
        expect("drop a: another incarnation of it was admitted", "ask 2");
    }

    @Test
    void shouldAcceptALinkThatALeaderRequests() {
        links.start();
        up.add(LEADER);
        assertThat(links.accepted(LEADER, 7, "a")).isTrue();
        links.want(LEADER);
        links.made(LEADER, "a");
        links.want(LEADER);
        expect("use a");

        assertThat(links.accepted(LEADER, 7, "b")).isTrue();

        expect("drop a: it connects anew");
        assertThat(links.current(LEADER)).isEqualTo("b");
        links.ended(LEADER, "a");
        assertThat(links.current(LEADER)).isEqualTo("b");
        links.ended(LEADER, "b");
        assertThat(links.current(LEADER)).isNull();
        expect("retry 0 after 0");
        again.run();
        expect("prompt 0");
    }

    // Goal: the link of a restarted peer outlives the event that its former incarnation is down, which may arrive later
    // than the link.
    @Test
    void shouldKeepALinkToTheNextIncarnationWhenTheFormerOneIsReportedDown() {
        links.start();
        up.add(LEADER);
        links.up(LEADER, 7);
        links.accepted(LEADER, 7, "a");
        links.made(LEADER, "a");
        links.accepted(LEADER, 8, "b");
        links.made(LEADER, "b");
        expect("prompt 0", "use a", "drop a: it connects anew", "use b");

        links.down(LEADER);
        links.up(LEADER, 8);

        expect();
        assertThat(links.using(LEADER)).isEqualTo("b");
        up.remove(LEADER);
        links.down(LEADER);
        expect("drop b: its control connection is down");
    }

    @Test
    void shouldAcceptNoIncarnationThatIsNotLetIn() {
        links.start();
        links.fence(LEADER);
        assertThat(links.accepted(LEADER, 7, "a")).isFalse();
        links.admit(LEADER, 8);
        assertThat(links.accepted(LEADER, 7, "a")).isFalse();
        assertThat(links.accepted(LEADER, 8, "a")).isTrue();
    }

    @Test
    void shouldLinkItself() {
        up.add(NODE);
        assertThat(links.accepted(NODE, 7, "a")).isTrue();
        assertThat(links.made(NODE, "a")).isTrue();
        links.start();
        links.down(NODE);
        assertThat(links.using(NODE)).isEqualTo("a");
        expect("use a");
    }

    @Test
    void shouldEndEverythingWhenItLeaves() {
        linked(7, "a");
        up.add(LEADER);
        int last = attempt;
        links.close();
        expect("drop a: this node leaves");
        links.want(LEADER);
        links.want(PEER);
        links.failed(PEER, last);
        assertThat(links.accepted(LEADER, 7, "b")).isFalse();
        expect();
    }
}
