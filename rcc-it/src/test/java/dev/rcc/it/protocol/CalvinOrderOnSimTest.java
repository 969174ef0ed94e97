package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinOrderOnSimTest extends CalvinOrderContract implements OnSim {
    /** Where each interleaving can be repeated, in each build. */
    @Override
    public int oneIn() {
        return 1;
    }
}
