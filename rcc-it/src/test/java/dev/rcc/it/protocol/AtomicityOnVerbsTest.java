package dev.rcc.it.protocol;

import dev.rcc.core.protocol.HybridCode;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
@EachProtocol.All
class AtomicityOnVerbsTest extends AtomicityContract implements OnVerbs {
    /** Both uniform codes in the lab, too. */
    @Override
    public boolean isTried(HybridCode code) {
        return !OnVerbs.isShort() || code.digits().chars().distinct().count() == 1;
    }
}
