package dev.rcc.it.protocol;

@EachProtocol.All
class RecordOperationsOnShmTest extends RecordOperationsContract implements OnShm {
    /** It has the most tests by far, and few of them have anything to do with the network. */
    @Override
    public int maxCodes() {
        return OnNetwork.uniformAnd(0);
    }
}
