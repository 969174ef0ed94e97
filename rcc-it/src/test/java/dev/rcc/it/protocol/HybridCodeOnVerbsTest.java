package dev.rcc.it.protocol;

import dev.rcc.core.protocol.HybridCode;
import dev.rcc.protocols.Protocols;
import dev.rcc.transport.verbs.LabDraw;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
@EachProtocol.All
class HybridCodeOnVerbsTest extends HybridCodeContract implements OnVerbs {
    /** The number of protocols whose codes run in the lab. */
    private static final int PROTOCOLS_IN_A_BUILD = 1;
    /** The number of codes of a protocol that are refused there. The network does not decide which ones are. */
    private static final int REFUSED = 2;

    /** Each of its tests draws for itself. */
    @Override
    public boolean isInBuild() {
        return true;
    }

    @Override
    Stream<HybridCode> drawnCodes() {
        if (!isShort()) {
            return super.drawnCodes();
        }
        List<HybridCode> admitted = new ArrayList<>();
        List<HybridCode> refused = new ArrayList<>();
        super.drawnCodes().forEach(code -> (isAdmitted(code) ? admitted : refused).add(code));
        Collections.shuffle(refused, random("codes of " + protocol().name()));
        boolean runs = LabDraw.some("protocols whose codes run", PROTOCOLS_IN_A_BUILD, Protocols.names())
                .contains(protocol().name());
        return Stream.concat(
                runs ? admitted.stream() : Stream.empty(), refused.stream().limit(REFUSED));
    }
}
