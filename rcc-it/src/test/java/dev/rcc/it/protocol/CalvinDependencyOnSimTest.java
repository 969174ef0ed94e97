package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinDependencyOnSimTest extends CalvinDependencyContract implements OnSim {
    /** Where each interleaving can be repeated, in each build. */
    @Override
    public int oneIn() {
        return 1;
    }
}
