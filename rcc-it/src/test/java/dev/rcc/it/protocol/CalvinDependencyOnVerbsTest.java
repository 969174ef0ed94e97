package dev.rcc.it.protocol;

import org.junit.jupiter.api.Tag;

@Tag("rdma")
@EachProtocol.OnlyCalvin
class CalvinDependencyOnVerbsTest extends CalvinDependencyContract implements OnVerbs {
    /** Each of them takes long in the lab. */
    @Override
    public int oneIn() {
        return 6;
    }
}
