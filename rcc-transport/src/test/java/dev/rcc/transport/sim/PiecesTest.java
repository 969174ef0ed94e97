package dev.rcc.transport.sim;

import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.core.memory.RemoteAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class PiecesTest {
    private final Pieces pieces = new Pieces();

    private static long at(long offset) {
        return RemoteAddress.of(1, 1, offset);
    }

    private List<String> all() {
        List<String> all = new ArrayList<>();
        for (int i = 0; i < pieces.size(); i++) {
            all.add(pieces.request(i) + ": " + pieces.bytes(i) + " at " + pieces.start(i));
        }
        return all;
    }

    @Test
    void shouldEndPiecesWhereLinesEnd() {
        pieces.add(0, at(40), 100);
        pieces.add(1, at(128), 64);
        assertThat(all()).containsExactly("0: 24 at 40", "0: 64 at 64", "0: 12 at 128", "1: 64 at 128");
        assertThat(Pieces.count(at(40), 100)).isEqualTo(3);
        assertThat(Pieces.count(at(128), 64)).isEqualTo(1);
    }

    @Test
    void shouldReplaceALineByItsWords() {
        pieces.add(0, at(64), 128);
        pieces.add(1, at(8), 8);
        assertThat(pieces.tear(0)).isEqualTo(8);
        assertThat(all()).hasSize(10).startsWith("0: 8 at 64", "0: 8 at 72").endsWith("0: 64 at 128", "1: 8 at 8");
        assertThat(pieces.tear(9)).isEqualTo(1);
        assertThat(all()).hasSize(10).endsWith("1: 8 at 8");
    }

    // Goal: a request of no bytes is a piece, too, and tearing it leaves the pieces behind it as they are.
    @Test
    void shouldKeepARequestWithoutBytesAsOnePiece() {
        pieces.add(0, at(64), 0);
        pieces.add(1, at(8), 8);
        assertThat(Pieces.count(at(64), 0)).isEqualTo(1);
        assertThat(pieces.tear(0)).isEqualTo(1);
        assertThat(all()).containsExactly("0: 0 at 64", "1: 8 at 8");
    }
}
