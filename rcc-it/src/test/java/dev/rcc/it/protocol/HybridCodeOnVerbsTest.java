package dev.rcc.it.protocol;

import dev.rcc.core.protocol.HybridCode;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
@EachProtocol.All
class HybridCodeOnVerbsTest extends HybridCodeContract implements OnVerbs {
    /** In the lab, codes of a protocol run in one of so many builds; those that are refused are in each. */
    private static final int ONE_IN = 3;

    @Override
    Stream<HybridCode> drawnCodes() {
        boolean runs = !isShort() || random("codes of " + protocol().name()).nextInt(ONE_IN) == 0;
        return super.drawnCodes().filter(code -> runs || !isAdmitted(code));
    }
}
