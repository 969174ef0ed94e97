package dev.rcc.it.protocol;

@EachProtocol.All
class ScanOnSimTest extends ScanContract implements OnSim {
    /** Its tests are the longest of all contracts; the particulars of a hybrid code show with single records, too. */
    @Override
    public int maxCodes() {
        return OnNetwork.uniformAnd(0);
    }

    @Override
    public int oneIn() {
        return 5;
    }
}
