package dev.rcc.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.netty.handler.ssl.SslContextBuilder;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

/** {@link ClientOptions}, {@link CallOptions}, {@link FaultInjection} and {@link ErrorCode}. */
class OptionsTest {
    @Test
    void shouldRejectInvalidInput() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CallOptions.DEFAULT.withDeadline(Duration.ZERO))
                .withMessage("deadline must be more than 0 and at most a day, got PT0S");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CallOptions.DEFAULT.withMaxAttempts(0))
                .withMessage("maxAttempts must be at least 1, got 0");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CallOptions.DEFAULT.withBackoff(Duration.ofMillis(2), Duration.ofMillis(1)));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> CallOptions.DEFAULT.withBackoff(Duration.ZERO, Duration.ofSeconds(Long.MAX_VALUE)))
                .withMessageContaining("backoffs must be 0 <= base <= max <= a day");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.DEFAULT.withConnections(1, Duration.ofDays(2)))
                .withMessage("connectTimeout must be more than 0 and at most a day, got PT48H");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> ClientOptions.DEFAULT.withConnections(65, Duration.ofSeconds(1)))
                .withMessage("connections must be 1 to 64, or 0 for one to each worker, got 65");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> FaultInjection.NONE.conflicts(1.1))
                .withMessage("conflictRate must be from 0 to 1, got 1.1");
        assertThatIllegalArgumentException().isThrownBy(() -> FaultInjection.NONE.unknownOutcomes(Double.NaN));
    }

    // Goal: all times of a program have the same upper bound, a day.
    @Test
    void shouldTakeTimesOfAtMostADay() {
        Duration day = Duration.ofDays(1);
        List<UnaryOperator<Duration>> takers = List.of(
                time -> CallOptions.DEFAULT.withDeadline(time).deadline(),
                time -> CallOptions.DEFAULT.withBackoff(Duration.ZERO, time).maxBackoff(),
                time -> ClientOptions.DEFAULT.withConnections(1, time).connectTimeout(),
                time -> LockOptions.DEFAULT.wait(time).waitTime(),
                time -> LockOptions.DEFAULT.lease(time).leaseTime());
        assertThat(takers).allSatisfy(taker -> {
            assertThat(taker.apply(day)).isEqualTo(day);
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> taker.apply(day.plusNanos(1)))
                    .withMessageContaining("a day, got ");
        });
        assertThat(LockOptions.DEFAULT.wait(Duration.ZERO).waitTime()).isZero();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> LockOptions.DEFAULT.lease(Duration.ofNanos(-1)))
                .withMessage("lease must be 0 to a day, got PT-0.000000001S");
    }

    @Test
    void shouldDrawFaultsAtTheirRates() {
        Faults faults = new Faults(
                FaultInjection.NONE.conflicts(0.25).unknownOutcomes(0.5).withSeed(11));
        int[] counts = new int[Faults.Fault.values().length];
        for (int i = 0; i < 10_000; i++) {
            counts[Arrays.asList(Faults.Fault.values()).indexOf(faults.drawCommit())]++;
        }
        assertThat(counts[1]).isBetween(2_300, 2_700);
        assertThat(counts[2]).isBetween(1_675, 2_075); // half of half of the rest
        assertThat(counts[3]).isBetween(1_675, 2_075);
        assertThat(new Faults(FaultInjection.NONE).drawCommit()).isEqualTo(Faults.Fault.NONE);
    }

    @Test
    void shouldFindEveryErrorCodeByItsNumber() {
        assertThat(ErrorCode.values())
                .allSatisfy(code -> assertThat(ErrorCode.of(code.number())).isEqualTo(code));
        assertThat(ErrorCode.of(65_535)).isEqualTo(ErrorCode.INTERNAL);
    }

    @Test
    void shouldSendItsTokenOnlyOverTlsOrLoopbackByDefault() throws Exception {
        InetSocketAddress here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 7400);
        InetSocketAddress there =
                new InetSocketAddress(InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, 1}), 7400);
        ClientOptions options = ClientOptions.DEFAULT.withToken("sesame");
        assertThat(Link.maySendToken(options, here)).isTrue();
        assertThat(Link.maySendToken(options, there)).isFalse();
        assertThat(Link.maySendToken(
                        options.withTls(SslContextBuilder.forClient().build()), there))
                .isTrue();
        assertThat(Link.maySendToken(ClientOptions.DEFAULT, there)).isTrue(); // it has none
        assertThat(Link.maySendToken(ClientOptions.DEFAULT.withPlainToken("sesame"), there))
                .isTrue();
        assertThat(Link.maySendToken(options.withName("other"), there)).isFalse();
        assertThat(ClientOptions.DEFAULT.withPlainToken("a").withToken("b").plainToken())
                .isFalse();
    }
}
