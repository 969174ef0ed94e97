package dev.rcc.bench.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.within;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Method: the output of perftest 4.5 on Soft-RoCE, and its output where there was no such device. */
class PerftestOutputTest {
    @ParameterizedTest
    @CsvSource({
        "READ_LATENCY, 54.11",
        "WRITE_LATENCY, 22.91",
        "ATOMIC_LATENCY, 47.12",
        "SEND_LATENCY, 31.03",
        "READ_RATE, 12596",
        "WRITE_RATE, 22258",
        "ATOMIC_RATE, 24496",
        "SEND_RATE, 10553",
    })
    void shouldFindTheFigureOfEveryTest(VerbsTest test, double figure) throws IOException {
        PerftestOutput output = PerftestOutput.parse(recorded(test.program()));
        double found =
                test.measure() == VerbsTest.Measure.LATENCY ? output.typicalMicros() : output.messagesPerSecond();
        assertThat(found).isEqualTo(figure, within(1e-6));
        assertThat(output.bytes()).isEqualTo(8);
    }

    @Test
    void shouldFindSettings() throws IOException {
        PerftestOutput output = PerftestOutput.parse(recorded("ib_send_bw"));
        assertThat(output.setting("TX depth")).hasValue(128);
        assertThat(output.setting("CQ Moderation")).hasValue(100);
        assertThat(output.setting("Mtu")).hasValue(1024);
        assertThat(output.setting("GID index")).hasValue(1);
        assertThat(output.setting("Max inline data")).hasValue(0);
        assertThat(output.setting("Outstand reads")).isEmpty();
    }

    @Test
    void shouldFailWithTheOutputWhenItHasNoFigures() throws IOException {
        String text = recorded("no_device");
        assertThatExceptionOfType(MeasurementFailed.class)
                .isThrownBy(() -> PerftestOutput.parse(text))
                .withMessageContaining("Unable to find the Infiniband/RoCE device")
                .withMessageContaining("nosuch");
        assertThatExceptionOfType(MeasurementFailed.class)
                .isThrownBy(() -> PerftestOutput.parse(""))
                .withMessageEndingWith("nothing");
    }

    @Test
    void shouldNotTakeTitlesWithoutFiguresForAResult() throws IOException {
        String text = recorded("ib_read_lat");
        String cut = text.substring(0, text.indexOf("\n 8 "));
        assertThatExceptionOfType(MeasurementFailed.class).isThrownBy(() -> PerftestOutput.parse(cut));
        assertThatExceptionOfType(MeasurementFailed.class)
                .isThrownBy(() -> PerftestOutput.parse(cut + "\n nan 1000\n"));
    }

    @Test
    void shouldNameTheColumnThatIsMissing() throws IOException {
        PerftestOutput latency = PerftestOutput.parse(recorded("ib_read_lat"));
        assertThatExceptionOfType(MeasurementFailed.class)
                .isThrownBy(latency::messagesPerSecond)
                .withMessageContaining("MsgRate");
    }

    static String recorded(String name) throws IOException {
        try (InputStream in = PerftestOutputTest.class.getResourceAsStream(name + ".txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
