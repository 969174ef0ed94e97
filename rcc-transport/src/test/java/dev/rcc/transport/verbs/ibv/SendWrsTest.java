package dev.rcc.transport.verbs.ibv;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.lang.foreign.MemorySegment;
import org.junit.jupiter.api.Test;

/** The layout of work requests for the device. */
class SendWrsTest {
    private static final int SGE = SendWrLayout.BYTES;

    private final SendWrs wrs = new SendWrs(3, 8);

    @Test
    void shouldFillEveryFieldOfACas() {
        wrs.cas(1, 11, 12, 13, 14, 15, 16, 17, SendFlags.FENCE);
        long wr = wrs.address(1);
        assertThat(Raw.getLong(wr, SendWrLayout.WR_ID)).isEqualTo(11);
        assertThat(Raw.getInt(wr, SendWrLayout.OPCODE)).isEqualTo(5);
        assertThat(Raw.getInt(wr, SendWrLayout.SEND_FLAGS)).isEqualTo(SendFlags.FENCE);
        assertThat(Raw.getLong(wr, SendWrLayout.REMOTE_ADDR)).isEqualTo(14);
        assertThat(Raw.getInt(wr, SendWrLayout.ATOMIC_RKEY)).isEqualTo(15);
        assertThat(Raw.getLong(wr, SendWrLayout.COMPARE_ADD)).isEqualTo(16);
        assertThat(Raw.getLong(wr, SendWrLayout.SWAP)).isEqualTo(17);
        assertThat(Raw.getInt(wr, SendWrLayout.NUM_SGE)).isOne();
        long sge = Raw.getLong(wr, SendWrLayout.SG_LIST);
        assertThat(sge).isEqualTo(wr + SGE);
        assertThat(Raw.getLong(sge, SgeLayout.ADDR)).isEqualTo(12);
        assertThat(Raw.getInt(sge, SgeLayout.LENGTH)).isEqualTo(8);
        assertThat(Raw.getInt(sge, SgeLayout.LKEY)).isEqualTo(13);
    }

    @Test
    void shouldLinkRequestsUntilAChainEnds() {
        assertThat(next(0)).isEqualTo(wrs.address(1));
        assertThat(next(1)).isEqualTo(wrs.address(2));
        assertThat(next(2)).isZero();
        wrs.read(1, 1, 2, 3, 4, 5, 6, 0);
        wrs.signalAndEnd(1);
        assertThat(next(1)).isZero();
        assertThat(Raw.getInt(wrs.address(1), SendWrLayout.SEND_FLAGS)).isEqualTo(SendFlags.SIGNALED);
        wrs.continueAfter(1);
        wrs.continueAfter(2);
        assertThat(next(1)).isEqualTo(wrs.address(2));
        assertThat(next(2)).isZero();
    }

    @Test
    void shouldCarryAWordInside() {
        wrs.writeWord(2, 1, -5, 64, 7, 0);
        long sge = Raw.getLong(wrs.address(2), SendWrLayout.SG_LIST);
        assertThat(Raw.getLong(Raw.getLong(sge, SgeLayout.ADDR), 0)).isEqualTo(-5);
        assertThat(Raw.getInt(wrs.address(2), SendWrLayout.SEND_FLAGS)).isEqualTo(SendFlags.INLINE);
        wrs.write(2, 1, 4096, 100, 9, 64, 7, 0); // the same request, no longer inline
        assertThat(Raw.getLong(sge, SgeLayout.ADDR)).isEqualTo(4096);
        assertThat(Raw.getInt(wrs.address(2), SendWrLayout.SEND_FLAGS)).isZero();
    }

    @Test
    void shouldHaveNoPieceWhereThereAreNoBytes() {
        wrs.read(0, 1, 2, 0, 3, 4, 5, 0);
        assertThat(Raw.getInt(wrs.address(0), SendWrLayout.NUM_SGE)).isZero();
        wrs.read(0, 1, 2, 1, 3, 4, 5, 0);
        assertThat(Raw.getInt(wrs.address(0), SendWrLayout.NUM_SGE)).isOne();
    }

    @Test
    void shouldRejectIndexesAndInlineDataBeyondItsCapacity() {
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> wrs.address(3));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> wrs.read(3, 1, 2, 3, 4, 5, 6, 0));
        assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> wrs.link(0, -1));
        MemorySegment nine = MemorySegment.ofArray(new byte[9]);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> wrs.inline(0, nine, 0, 9))
                .withMessageContaining("8 bytes");
        assertThatIllegalArgumentException().isThrownBy(() -> new SendWrs(1, 4).writeWord(0, 1, 2, 3, 4, 0));
        assertThatIllegalArgumentException().isThrownBy(() -> new SendWrs(0, 0));
    }

    private long next(int i) {
        return Raw.getLong(wrs.address(i), SendWrLayout.NEXT);
    }
}
