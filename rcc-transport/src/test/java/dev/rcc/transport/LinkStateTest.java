package dev.rcc.transport;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.rcc.transport.LinkState.Event;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LinkStateTest {
    @ParameterizedTest
    @CsvSource(useHeadersInDisplayName = true, delimiter = '|', textBlock = """
            STATE        | WANTED       | REFUSED | FAILED | BEGUN  | ACCEPTED | MADE  | ENDED | DROPPED
            IDLE         | ASKING       | -       | -      | -      | MAKING   | -     | -     | IDLE
            ASKING       | ASKING_AGAIN | IDLE    | IDLE   | MAKING | MAKING   | -     | -     | IDLE
            ASKING_AGAIN | ASKING_AGAIN | ASKING  | ASKING | MAKING | MAKING   | -     | -     | IDLE
            MAKING       | MAKING       | -       | -      | -      | MAKING   | USING | IDLE  | IDLE
            USING        | USING        | -       | -      | -      | MAKING   | -     | IDLE  | IDLE
            """)
    void shouldReturnTheNextStateOrRefuseTheEventInEveryState(
            LinkState state,
            String wanted,
            String refused,
            String failed,
            String begun,
            String accepted,
            String made,
            String ended,
            String dropped) {
        String[] next = {wanted, refused, failed, begun, accepted, made, ended, dropped};
        Event[] events = Event.values();
        assertThat(next).hasSameSizeAs(events);
        for (int i = 0; i < events.length; i++) {
            Event event = events[i];
            String expected = next[i];
            if (expected.equals("-")) {
                assertThatThrownBy(() -> state.after(event))
                        .isInstanceOf(IllegalStateException.class)
                        .hasMessage("a link that is " + state + " cannot be " + event);
            } else {
                assertThat(state.after(event)).as("%s, %s", state, event).isEqualTo(LinkState.valueOf(expected));
            }
        }
    }
}
