package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class EndpointTest {
    @Test
    void shouldReadBackItsOwnOutput() {
        assertThat(Endpoint.parseAll("a:1, b ,[::1]:65535,[::1]"))
                .containsExactly(
                        new Endpoint("a", 1),
                        new Endpoint("b", 7400),
                        new Endpoint("::1", 65535),
                        new Endpoint("::1", 7400))
                .allSatisfy(endpoint ->
                        assertThat(Endpoint.parse(endpoint.toString())).isEqualTo(endpoint));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", ":1", "a:", "a:0", "a:65536", "a:b", "a,,b"})
    void shouldRejectAnInvalidAddress(String text) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Endpoint.parseAll(text))
                .withMessageContaining("a gateway's address is host:port");
    }
}
