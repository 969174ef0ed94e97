package dev.rcc.it.protocol;

@EachProtocol.All
class ScanOnSimTest extends ScanContract implements OnSim {
    /** Its tests are the longest of all contracts; what is particular to a hybrid code shows with single records, too. */
    @Override
    public int maxCodes() {
        return OnNetwork.uniformAnd(0);
    }

    /** Each test runs for half of the protocols. */
    @Override
    public boolean isShort() {
        return !OnNetwork.areAllAskedFor();
    }

    @Override
    public int oneIn() {
        return 2;
    }
}
