package dev.rcc.it.protocol;

import dev.rcc.protocols.Protocols;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
@EachProtocol.All
class ScanOnVerbsTest extends ScanContract implements OnVerbs {
    /** Scans are more of what single records do on a network. */
    @Override
    public int oneIn() {
        return 6 * Protocols.names().size();
    }
}
