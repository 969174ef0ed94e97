package dev.rcc.client.ycsb;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FieldsCodecTest {
    private static byte[] encode(Map<String, byte[]> fields, int recordBytes) {
        byte[] record = new byte[recordBytes];
        new FieldsCodec(recordBytes).encode(fields, ByteBuffer.wrap(record));
        return record;
    }

    private static Map<String, byte[]> decode(byte[] record) {
        return new FieldsCodec(record.length).decode(ByteBuffer.wrap(record));
    }

    @Test
    void shouldReadBackItsOwnWrites() {
        long seed = Long.getLong("rcc.seed", System.nanoTime());
        Random random = new Random(seed);
        for (int i = 0; i < 200; i++) {
            Map<String, byte[]> fields = new LinkedHashMap<>();
            for (int f = random.nextInt(12); f > 0; f--) {
                byte[] value = new byte[random.nextInt(300)];
                random.nextBytes(value);
                fields.put("f".repeat(1 + random.nextInt(254)) + f % 10, value);
            }
            int needed = fields.entrySet().stream()
                    .mapToInt(field -> 3 + field.getKey().length() + field.getValue().length)
                    .sum();
            byte[] record = encode(fields, Math.max(1, needed + random.nextInt(3)));
            assertThat(decode(record)).as("seed %d", seed).containsExactlyEntriesOf(fields);
        }
    }

    @Test
    void shouldLayFieldsOutAsDocumented() {
        byte[] record = encode(Map.of("ab", new byte[] {7, 8, 9}), 10);
        assertThat(record).containsExactly(2, 'a', 'b', 0, 3, 7, 8, 9, 0, 0);
    }

    @Test
    void shouldReportTheRecordSizeThatTheFieldsNeed() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> encode(Map.of("field0", new byte[100]), 108))
                .withMessageContaining("the fields take 109 bytes, the table's records have 108");
        assertThat(decode(encode(Map.of("field0", new byte[100]), 109))).containsOnlyKeys("field0");
    }

    @Test
    void shouldRefuseANameThatWouldBeAnotherOnes() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> encode(Map.of("field\ud83d", new byte[8]), 100))
                .withMessageStartingWith("a field's name has whole characters only, got half of a surrogate pair");
    }

    @Test
    void shouldRejectRecordsThatItHasNotWritten() {
        for (String other : new String[] {"\u0003ab", "\u0001a\u0000", "\u0001a\u0000\u0005abc", "\u0002ab"}) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> decode(other.getBytes(StandardCharsets.ISO_8859_1)))
                    .withMessageContaining("was not written by this binding");
        }
    }
}
