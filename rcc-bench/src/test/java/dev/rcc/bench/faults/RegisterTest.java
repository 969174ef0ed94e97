package dev.rcc.bench.faults;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.client.Codec;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

class RegisterTest {
    private static final int BYTES = 64;

    private static byte[] record(long version) {
        ByteBuffer record = ByteBuffer.allocate(BYTES);
        Register.codec(BYTES).encode(new Register(version, true), record);
        return record.array();
    }

    @Test
    void shouldFindOutARecordOfWhichOnlyAPartWasWritten() {
        Codec<Register> codec = Register.codec(BYTES);
        byte[] before = record(Register.next(0, 1));
        byte[] after = record(Register.next(Register.next(0, 1), 2));
        for (int written = 0; written <= BYTES; written += Long.BYTES) {
            byte[] record = before.clone();
            System.arraycopy(after, 0, record, 0, written);
            assertThat(codec.decode(ByteBuffer.wrap(record)).isWhole())
                    .as("%d bytes", written)
                    .isEqualTo(written == 0 || written == BYTES);
        }
    }

    @Test
    void shouldOrderVersionsByHowOftenARecordWasWritten() {
        long first = Register.next(0, 0xFFFF_FFFF);
        long second = Register.next(first, 1);
        assertThat(second).isGreaterThan(first);
        assertThat(Register.attempt(first)).isEqualTo(-1);
        assertThat(Register.attempt(second)).isEqualTo(1);
    }
}
