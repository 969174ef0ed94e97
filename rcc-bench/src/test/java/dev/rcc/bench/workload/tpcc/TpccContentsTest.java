package dev.rcc.bench.workload.tpcc;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.SplittableRandom;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** Names, constants, texts and keys. */
class TpccContentsTest {
    @Test
    void shouldMakeLastNamesOfThreeSyllables() {
        assertThat(name(0)).isEqualTo("BARBARBAR");
        assertThat(name(371)).isEqualTo("PRICALLYOUGHT");
        assertThat(name(999)).isEqualTo("EINGEINGEING");
        assertThat(name(777)).hasSize(15).isEqualTo("CALLYCALLYCALLY");
        assertThat(IntStream.range(0, 1_000).mapToObj(TpccContentsTest::name).distinct())
                .hasSize(1_000);
    }

    private static String name(int number) {
        byte[] name = new byte[CustomerLayout.LAST_BYTES];
        LastName.write(number, name, 0);
        return new String(name, StandardCharsets.US_ASCII).replace("\0", "");
    }

    @Test
    void shouldDrawConstantsThatDifferAsTheyMay() {
        for (int seed = 0; seed < 2_000; seed++) {
            int loaded = Nurand.loadedLastName(seed);
            Nurand drawn = Nurand.draw(loaded, new SplittableRandom(seed));
            int delta = Math.abs(drawn.lastName() - loaded);
            assertThat(loaded).isBetween(0, 255);
            assertThat(drawn.lastName()).isBetween(0, 255);
            assertThat(delta).isBetween(65, 119).isNotIn(96, 112);
            assertThat(drawn.customer()).isBetween(0, 1_023);
            assertThat(drawn.item()).isBetween(0, 8_191);
        }
    }

    @Test
    void shouldComputeNonUniformNumbersByTheStandard() {
        assertThat(Nurand.of(5, 10, 3, 1, 3_000)).isEqualTo((((5 | 10) + 3) % 3_000) + 1);
        assertThat(Nurand.of(0, 3_000, 1_023, 1, 3_000)).isEqualTo(1_024);
    }

    @Test
    void shouldPrependPaymentsToTheExistingData() {
        byte[] data = new byte[40];
        System.arraycopy("what was there before".getBytes(StandardCharsets.US_ASCII), 0, data, 0, 21);
        PaymentTexts.prepend(data, TpccKeys.customer(12, 3, 2_999), TpccKeys.district(7, 10), 123_456);
        assertThat(new String(data, StandardCharsets.US_ASCII)).isEqualTo("2999 3 12 10 7 1234 56 what was there be");
    }

    @Test
    void shouldJoinNames() {
        byte[] target = new byte[24];
        PaymentTexts.join(padded("abcdef"), padded("0123456789"), target);
        assertThat(new String(target, StandardCharsets.US_ASCII)).isEqualTo("abcdef    0123456789\0\0\0\0");
    }

    private static byte[] padded(String text) {
        byte[] bytes = new byte[10];
        System.arraycopy(text.getBytes(StandardCharsets.US_ASCII), 0, bytes, 0, text.length());
        return bytes;
    }

    @Test
    void shouldFindOriginalWhereverItIs() {
        assertThat(RowRandom.isOriginal("ORIGINAL".getBytes(StandardCharsets.US_ASCII)))
                .isTrue();
        assertThat(RowRandom.isOriginal("xxORIGINORIGINALy".getBytes(StandardCharsets.US_ASCII)))
                .isTrue();
        assertThat(RowRandom.isOriginal("xxORIGINA".getBytes(StandardCharsets.US_ASCII)))
                .isFalse();
        RowRandom random = new RowRandom(1);
        byte[] data = new byte[ItemLayout.DATA_BYTES];
        int original = 0;
        for (int row = 0; row < 10_000; row++) {
            random.of(7, row).data(data, 0);
            original += RowRandom.isOriginal(data) ? 1 : 0;
        }
        assertThat(original).isBetween(850, 1_150);
    }

    @Test
    void shouldPackKeys() {
        long key = TpccKeys.line(TpccKeys.order(TpccKeys.MAX_WAREHOUSES, 10, (1 << TpccKeys.ORDER_BITS) - 1), 15);
        assertThat(key).isPositive();
        assertThat(TpccKeys.warehouseOf(key)).isEqualTo(TpccKeys.MAX_WAREHOUSES);
        assertThat(TpccKeys.districtOf(key)).isEqualTo(10);
        assertThat(TpccKeys.orderOf(key)).isEqualTo((1 << TpccKeys.ORDER_BITS) - 1);
        assertThat(TpccKeys.lineOf(key)).isEqualTo(15);
        assertThat(TpccKeys.customerOf(TpccKeys.customer(1, 2, 3_000))).isEqualTo(3_000);
        assertThat(TpccKeys.itemOf(TpccKeys.stock(9, 100_001))).isEqualTo(100_001);
        assertThat(TpccKeys.warehouseOf(TpccKeys.history(5, -1))).isEqualTo(5);
        assertThat(TpccKeys.history(5, -1)).isNotEqualTo(TpccKeys.history(5, -2));
    }

    @Test
    void shouldCarryInputsWhole() {
        TpccInput input = TpccCluster.newOrder(3, 4, 5, 6, 7, 8, 9, 10);
        input.historyNumber = -5;
        input.threshold = 11;
        input.dateMillis = 123;
        TpccInputCodec codec = new TpccInputCodec();
        ByteBuffer bytes = ByteBuffer.allocate(codec.bytes());
        codec.encode(input, bytes);
        assertThat(bytes.hasRemaining()).isFalse();
        TpccInput read = codec.decode(bytes.flip());
        assertThat(read).usingRecursiveComparison().isEqualTo(input);
    }
}
