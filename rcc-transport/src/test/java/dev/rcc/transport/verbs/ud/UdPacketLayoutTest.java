package dev.rcc.transport.verbs.ud;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.Memory;
import dev.rcc.core.testing.Seeds;
import java.lang.foreign.Arena;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class UdPacketLayoutTest {
    private static final int MESSAGE_BYTES_MAX = 4096;

    private final Memory memory = Memory.allocate(Arena.ofAuto(), 4096);

    @Test
    void shouldKeepTheLastValueOfEveryField() {
        UdPacketLayout.putHeader(memory, 8, UdPacketLayout.identity(255, 65_535, -1), -2, -3);
        UdPacketLayout.putContents(memory, 8, 255, 255, 65_535, -4);
        assertThat(UdPacketLayout.version(memory, 8)).isEqualTo(UdPacketLayout.VERSION);
        assertThat(UdPacketLayout.node(memory, 8)).isEqualTo(255);
        assertThat(UdPacketLayout.worker(memory, 8)).isEqualTo(65_535);
        assertThat(UdPacketLayout.incarnation(memory, 8)).isEqualTo(-1);
        assertThat(UdPacketLayout.sequence(memory, 8)).isEqualTo(-2);
        assertThat(UdPacketLayout.acknowledged(memory, 8)).isEqualTo(-3);
        assertThat(UdPacketLayout.flags(memory, 8)).isEqualTo(255);
        assertThat(UdPacketLayout.fragments(memory, 8)).isEqualTo(255);
        assertThat(UdPacketLayout.bytes(memory, 8)).isEqualTo(65_535);
        assertThat(UdPacketLayout.session(memory, 8)).isEqualTo((short) -4);

        UdPacketLayout.putFragment(memory, 64, Integer.MAX_VALUE, -1, 255, 254, 65_535, Integer.MAX_VALUE - 1);
        UdPacketLayout.putMessage(memory, 64, Integer.MAX_VALUE - 2, Integer.MAX_VALUE - 3);
        assertThat(UdPacketLayout.slot(memory, 64)).isEqualTo(Integer.MAX_VALUE);
        assertThat(UdPacketLayout.generation(memory, 64)).isEqualTo(-1);
        assertThat(UdPacketLayout.kind(memory, 64)).isEqualTo(255);
        assertThat(UdPacketLayout.rpcId(memory, 64)).isEqualTo(254);
        assertThat(UdPacketLayout.fragmentBytes(memory, 64)).isEqualTo(65_535);
        assertThat(UdPacketLayout.offset(memory, 64)).isEqualTo(Integer.MAX_VALUE - 1);
        assertThat(UdPacketLayout.messageBytes(memory, 64)).isEqualTo(Integer.MAX_VALUE - 2);
        assertThat(UdPacketLayout.replyRoom(memory, 64)).isEqualTo(Integer.MAX_VALUE - 3);
    }

    @Test
    void shouldReportEveryFlawOfAPacket() {
        int length = write(2);
        assertThat(flaw(length)).isNull();
        assertThat(flaw(23)).contains("shorter than its header");
        assertThat(flaw(length - 8)).contains("length differs");

        UdPacketLayout.putContents(memory, 0, 0, 2, length - 8, 1);
        assertThat(flaw(length - 8)).contains("cut off");
        UdPacketLayout.putContents(memory, 0, 0, 2, length + 8, 1);
        assertThat(flaw(length + 8)).contains("follows");
        UdPacketLayout.putContents(memory, 0, 0, 3, length, 1);
        assertThat(flaw(length)).contains("header is cut off");

        write(2);
        UdPacketLayout.putHeader(memory, 0, 0, 1, 1);
        assertThat(flaw(length)).contains("version");

        write(2);
        UdPacketLayout.putFragment(memory, 24, 1, 1, 4, 1, 16, 0);
        assertThat(flaw(length)).contains("kind");
        UdPacketLayout.putFragment(memory, 24, 1, 1, UdPacketLayout.REPLY, 1, 16, 8);
        assertThat(flaw(length)).as("beyond the end").contains("no part");
        UdPacketLayout.putFragment(memory, 24, 1, 1, UdPacketLayout.REPLY, 1, 16, -8);
        assertThat(flaw(length)).as("before the start").contains("no part");

        write(2);
        UdPacketLayout.putMessage(memory, 24, MESSAGE_BYTES_MAX + 1, 0);
        assertThat(flaw(length)).contains("out of range");
        UdPacketLayout.putMessage(memory, 24, -1, 0);
        assertThat(flaw(length)).contains("out of range");
        UdPacketLayout.putMessage(memory, 24, 16, -1);
        assertThat(flaw(length)).contains("out of range");
    }

    // Goal: whatever bytes arrive, a packet that passes the check has consistent lengths.
    @Test
    void shouldAcceptNoPacketWithInconsistentLengths() {
        int[] passed = {0};
        Seeds.forEach(200, random -> {
            for (int round = 0; round < 200; round++) {
                int length = write(random.nextInt(5));
                for (int spoilt = random.nextInt(4); spoilt > 0; spoilt--) {
                    spoil(random, length);
                }
                if (flaw(length) == null) {
                    passed[0]++;
                    int end = UdPacketLayout.HEADER_BYTES;
                    for (int i = 0; i < UdPacketLayout.fragments(memory, 0); i++) {
                        int bytes = UdPacketLayout.fragmentBytes(memory, end);
                        int message = UdPacketLayout.messageBytes(memory, end);
                        assertThat(message).isBetween(0, MESSAGE_BYTES_MAX);
                        assertThat(UdPacketLayout.offset(memory, end)).isBetween(0, message - bytes);
                        end += UdPacketLayout.FRAGMENT_BYTES + Memory.alignToWord(bytes);
                    }
                    assertThat(end).isEqualTo(length);
                }
            }
        });
        assertThat(passed[0]).isBetween(1_000, 39_000);
    }

    private void spoil(SplittableRandom random, int length) {
        long at = random.nextInt(length / Memory.WORD_BYTES) * (long) Memory.WORD_BYTES;
        memory.putLong(at, memory.getLong(at) ^ 1L << random.nextInt(Long.SIZE));
    }

    /** Writes a packet at 0 with fragments of 16 bytes. Returns its length. */
    private int write(int fragments) {
        int at = UdPacketLayout.HEADER_BYTES;
        for (int i = 0; i < fragments; i++) {
            UdPacketLayout.putFragment(memory, at, i, 1, UdPacketLayout.REQUEST, 1, 16, 0);
            UdPacketLayout.putMessage(memory, at, 16, 8);
            at += UdPacketLayout.FRAGMENT_BYTES + 16;
        }
        UdPacketLayout.putHeader(memory, 0, UdPacketLayout.identity(1, 0, 1), 1, 1);
        UdPacketLayout.putContents(memory, 0, 0, fragments, at, 1);
        return at;
    }

    private String flaw(int length) {
        return UdPacketLayout.flaw(memory, 0, length, MESSAGE_BYTES_MAX);
    }
}
