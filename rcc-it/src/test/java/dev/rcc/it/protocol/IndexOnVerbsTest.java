package dev.rcc.it.protocol;

import dev.rcc.protocols.Protocols;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
@EachProtocol.All
class IndexOnVerbsTest extends IndexContract implements OnVerbs {
    /** Indexes are more of what single records do on a network. */
    @Override
    public int oneIn() {
        return 3 * Protocols.names().size();
    }
}
