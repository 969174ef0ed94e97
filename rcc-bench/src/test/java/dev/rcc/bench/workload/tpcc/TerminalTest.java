package dev.rcc.bench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.EnumSet;
import java.util.HashSet;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.junit.jupiter.api.Test;

/** Inputs are as clauses 2.4.1 to 2.8.1 and 5.2.5 want them. */
class TerminalTest {
    private static final TpccScale SCALE = new TpccScale(4, 10, 3_000, 100_000);
    private static final int MANY = 200_000;

    private static TpccRules rules(Supplier<Mix> mix, boolean waits, boolean inParts) {
        return new TpccRules(SCALE, new Nurand(200, 77, 4_000), mix, 1, 15, 60, 1, waits, inParts);
    }

    private static void draw(Kind kind, Consumer<TpccInput> check) {
        Terminal terminal = new Terminal(
                rules(() -> Mix.cards(EnumSet.of(kind)), false, false), new int[] {3}, 6, new SplittableRandom(5));
        for (int i = 0; i < MANY; i++) {
            check.accept(terminal.next());
        }
    }

    @Test
    void shouldDrawNewOrders() {
        long[] lines = {0};
        long[] remote = {0};
        long[] rolledBack = {0};
        Set<Integer> counts = new HashSet<>();
        Set<Integer> suppliers = new HashSet<>();
        draw(Kind.NEW_ORDER, input -> {
            lines[0] += input.lines;
            remote[0] += input.remoteLines();
            counts.add(input.lines);
            assertThat(input.warehouse).isEqualTo(3);
            assertThat(input.district).isBetween(1, 10);
            assertThat(input.customer).isBetween(1, 3_000);
            for (int i = 0; i < input.lines; i++) {
                boolean isUnused = input.items[i] == SCALE.items() + 1;
                assertThat(isUnused && i < input.lines - 1).as("only the last").isFalse();
                rolledBack[0] += isUnused ? 1 : 0;
                assertThat(input.items[i]).isBetween(1, SCALE.items() + 1);
                assertThat(input.quantities[i]).isBetween(1, 10);
                suppliers.add(input.suppliers[i]);
            }
            assertThat(input.isAllLocal()).isEqualTo(input.remoteLines() == 0);
        });
        assertThat(counts).hasSize(11).contains(5, 15);
        assertThat(suppliers).containsExactlyInAnyOrder(1, 2, 3, 4);
        assertThat((double) lines[0] / MANY).isCloseTo(10, within(0.05));
        assertThat(100.0 * remote[0] / lines[0]).isCloseTo(1, within(0.05));
        assertThat(100.0 * rolledBack[0] / MANY).isCloseTo(1, within(0.1));
    }

    @Test
    void shouldDrawPayments() {
        int[] remote = {0};
        int[] byName = {0};
        Set<Integer> warehouses = new HashSet<>();
        draw(Kind.PAYMENT, input -> {
            remote[0] += input.isRemotePayment() ? 1 : 0;
            byName[0] += input.name != TpccInput.NO_NAME ? 1 : 0;
            warehouses.add(input.customerWarehouse);
            assertThat(input.amountCents).isBetween(100L, 500_000L);
            assertThat(input.isRemotePayment() || input.customerDistrict == input.district)
                    .isTrue();
            assertThat(input.name).isBetween(-1, 999);
        });
        assertThat(100.0 * remote[0] / MANY).isCloseTo(15, within(0.5));
        assertThat(100.0 * byName[0] / MANY).isCloseTo(60, within(0.5));
        assertThat(warehouses).hasSize(4);
    }

    @Test
    void shouldDrawTheOtherThree() {
        draw(Kind.ORDER_STATUS, input -> assertThat(input.customerWarehouse).isEqualTo(3));
        draw(Kind.DELIVERY, input -> {
            assertThat(input.carrier).isBetween(1, 10);
            assertThat(input.firstDistrict).isEqualTo(1);
            assertThat(input.lastDistrict).isEqualTo(10);
        });
        draw(Kind.STOCK_LEVEL, input -> {
            assertThat(input.threshold).isBetween(10, 20);
            assertThat(input.district).isEqualTo(6);
        });
    }

    @Test
    void shouldPlayEachCardOfADeck() {
        Mix mix = Mix.cards(EnumSet.allOf(Kind.class));
        SplittableRandom random = new SplittableRandom(1);
        for (int deck = 0; deck < 50; deck++) {
            int[] counts = new int[5];
            for (int card = 0; card < 23; card++) {
                counts[mix.next(random).number()]++;
            }
            assertThat(counts).containsExactly(10, 10, 1, 1, 1);
        }
    }

    @Test
    void shouldDrawByWeights() {
        Mix mix = Mix.weights(new double[] {33.1, 31.6, 2.9, 29.4, 0});
        SplittableRandom random = new SplittableRandom(1);
        int[] counts = new int[5];
        for (int i = 0; i < MANY; i++) {
            counts[mix.next(random).number()]++;
        }
        assertThat(100.0 * counts[0] / MANY).isCloseTo(33.1 / 0.97, within(0.5));
        assertThat(100.0 * counts[3] / MANY).isCloseTo(29.4 / 0.97, within(0.5));
        assertThat(counts[4]).isZero();
    }

    @Test
    void shouldDeliverToOneDistrictAfterTheOther() {
        Terminal terminal = new Terminal(
                rules(() -> Mix.cards(EnumSet.of(Kind.DELIVERY)), true, true),
                new int[] {3},
                6,
                new SplittableRandom(5));
        for (int delivery = 0; delivery < 3; delivery++) {
            for (int district = 1; district <= 10; district++) {
                TpccInput input = terminal.next();
                assertThat(input.firstDistrict).isEqualTo(district);
                assertThat(input.lastDistrict).isEqualTo(district);
                assertThat(terminal.pauseNanos() > 0).isEqualTo(district == 1);
            }
        }
    }

    @Test
    void shouldTakeTheTimeOfUsers() {
        Terminal terminal = new Terminal(
                rules(() -> Mix.cards(EnumSet.of(Kind.NEW_ORDER)), true, false),
                new int[] {3},
                6,
                new SplittableRandom(5));
        terminal.next();
        assertThat(terminal.pauseNanos()).isEqualTo(TimeUnit.SECONDS.toNanos(18));
        double sum = 0;
        for (int i = 0; i < MANY; i++) {
            terminal.next();
            double think =
                    (double) (terminal.pauseNanos() - TimeUnit.SECONDS.toNanos(18)) / TimeUnit.SECONDS.toNanos(1);
            assertThat(think).isBetween(0.0, 120.0);
            sum += think;
        }
        assertThat(sum / MANY).isCloseTo(12, within(0.2));
    }
}
