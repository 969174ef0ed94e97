package dev.rcc.client.ycsb;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.wire.Patch;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class FieldPlacesTest {
    private static final int RECORD_BYTES = 200;

    private static byte[] encode(Map<String, byte[]> fields) {
        byte[] record = new byte[RECORD_BYTES];
        new FieldsCodec(RECORD_BYTES).encode(fields, ByteBuffer.wrap(record));
        return record;
    }

    private static Map<String, byte[]> fields(String... namesAndValues) {
        Map<String, byte[]> fields = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            fields.put(namesAndValues[i], namesAndValues[i + 1].getBytes(StandardCharsets.UTF_8));
        }
        return fields;
    }

    private static Map<String, byte[]> draw(Random random) {
        List<String> names = new ArrayList<>(List.of("a", "b", "long", "z"));
        Map<String, byte[]> fields = new LinkedHashMap<>();
        for (int i = random.nextInt(1, 4); i > 0; i--) {
            byte[] value = new byte[random.nextInt(3)];
            random.nextBytes(value);
            fields.put(names.remove(random.nextInt(names.size())), value);
        }
        return fields;
    }

    // Goal: a patch has the effect of reading, changing and writing, or it has none. Method: records and
    // changes at random, few enough of them that many are alike.
    @Test
    void shouldChangeARecordAsIfItHadBeenReadOrNotAtAll() {
        long seed = Long.getLong("rcc.seed", System.nanoTime());
        Random random = new Random(seed);
        int written = 0;
        for (int i = 0; i < 20_000; i++) {
            Map<String, byte[]> fields = draw(random);
            Map<String, byte[]> changed = draw(random);
            Optional<Patch> patch = new FieldPlaces(random.nextBoolean() ? fields : draw(random)).patch(changed);
            byte[] record = encode(fields);
            boolean isWritten = patch.isPresent() && patch.get().applyTo(record);
            if (isWritten) {
                fields.putAll(changed);
                written++;
            }
            assertThat(record).as("seed %d, round %d", seed, i).isEqualTo(encode(fields));
        }
        assertThat(written).as("seed %d", seed).isGreaterThan(200);
    }

    // Goal: bytes of a value that look like the beginning of a field are none.
    @Test
    void shouldNotTakeAValueForAField() {
        FieldPlaces places = new FieldPlaces(fields("a", "xx", "b", "y"));
        byte[] record = encode(fields("other", "\u0001b\u0000\u0001y"));
        assertThat(places.patch(fields("b", "z")).orElseThrow().applyTo(record)).isFalse();
    }

    @Test
    void shouldPatchOnlyExistingFieldsThatKeepTheirLength() {
        FieldPlaces places = new FieldPlaces(fields("a", "xx", "b", "y", "empty", ""));
        assertThat(places.patch(fields("a", "x"))).isEmpty();
        assertThat(places.patch(fields("c", "x"))).isEmpty();
        assertThat(places.patch(fields("empty", ""))).as("nothing to write").isEmpty();
        assertThat(places.patch(fields())).isEmpty();
        assertThat(places.patch(fields("a", "zz", "empty", ""))).isPresent();
    }
}
