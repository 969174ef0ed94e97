package dev.rcc.it.protocol;

import org.junit.jupiter.api.Tag;

@Tag("rdma")
@EachProtocol.OnlyCalvin
class CalvinOrderOnVerbsTest extends CalvinOrderContract implements OnVerbs {}
