package dev.rcc.transport.tcp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TcpHelloTest {
    private static byte[] answer(long incarnation) {
        return new TcpHello(incarnation, 2, "host", 7, new byte[TcpFrames.TOKEN_BYTES]).answer();
    }

    @Test
    void shouldReadWhatANodeSendsAboutItself() {
        assertThat(TcpHello.readQuestion(TcpHello.question(5, 2))).isEqualTo(new TcpHello.Question(5, 2));
        assertThat(TcpHello.readAnswer(answer(5))).hasValueSatisfying(hello -> {
            assertThat(hello.incarnation()).isEqualTo(5);
            assertThat(hello.workers()).isEqualTo(2);
            assertThat(hello.host()).isEqualTo("host");
            assertThat(hello.port()).isEqualTo(7);
        });
    }

    @ParameterizedTest
    @ValueSource(longs = {0, -1, Long.MIN_VALUE})
    void shouldRefuseAnIncarnationThatNoNodeHas(long incarnation) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TcpHello.readQuestion(TcpHello.question(incarnation, 1)))
                .withMessageContaining("" + incarnation);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> TcpHello.readAnswer(answer(incarnation)))
                .withMessageContaining("" + incarnation);
    }
}
