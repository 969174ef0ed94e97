package dev.rcc.transport.verbs.darpc;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class LastLinksTest {
    private static final int CALLER = 1;
    private static final long INCARNATION = 100;

    private final LastLinks links = new LastLinks(3);

    @Test
    void shouldRefuseARequestOfAnEarlierLinkOnceALaterOneWasServed() {
        assertThat(links.takes(CALLER, INCARNATION, 1)).isTrue();
        assertThat(links.takes(CALLER, INCARNATION, 2)).isTrue();
        assertThat(links.takes(CALLER, INCARNATION, 1)).isFalse();
        assertThat(links.takes(CALLER, INCARNATION, 2)).isTrue();
        assertThat(links.takes(0, INCARNATION, 1)).as("of another caller").isTrue();
    }

    // A restarted node counts its links from 1.
    @Test
    void shouldServeALaterIncarnationWhateverItsLinkAndNoEarlierOneThen() {
        assertThat(links.takes(CALLER, INCARNATION, 7)).isTrue();
        assertThat(links.takes(CALLER, INCARNATION + 1, 1)).isTrue();
        assertThat(links.takes(CALLER, INCARNATION, 8)).isFalse();
        assertThat(links.takes(CALLER, INCARNATION + 1, 1)).isTrue();
    }
}
