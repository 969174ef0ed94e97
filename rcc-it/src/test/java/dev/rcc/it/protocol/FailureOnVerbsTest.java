package dev.rcc.it.protocol;

import dev.rcc.protocols.Protocols;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
@EachProtocol.All
class FailureOnVerbsTest extends FailureContract implements OnVerbs {
    /** The handling of a dead peer is the device's, and the same for all protocols. */
    @Override
    public int oneIn() {
        return 2 * Protocols.names().size();
    }
}
