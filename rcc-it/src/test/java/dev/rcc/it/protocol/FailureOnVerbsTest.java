package dev.rcc.it.protocol;

import dev.rcc.protocols.Protocols;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
@EachProtocol.All
class FailureOnVerbsTest extends FailureContract implements OnVerbs {
    /** What a device does about a peer that is gone is its own affair. */
    @Override
    public int oneIn() {
        return 2 * Protocols.names().size();
    }
}
