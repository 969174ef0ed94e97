package dev.rcc.it.protocol;

import org.junit.jupiter.api.Tag;

@Tag("rdma")
@EachProtocol.OnlyCalvin
class CalvinDependencyOnVerbsTest extends CalvinDependencyContract implements OnVerbs {}
