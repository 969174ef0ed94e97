package dev.rcc.it.protocol;

import dev.rcc.protocols.Protocols;
import org.junit.jupiter.api.Tag;

@Tag("rdma")
@EachProtocol.All
class RecordOperationsOnVerbsTest extends RecordOperationsContract implements OnVerbs {
    /** It has the most tests by far, and few of them have anything to do with the network. */
    @Override
    public int oneIn() {
        return 3 * Protocols.names().size();
    }
}
