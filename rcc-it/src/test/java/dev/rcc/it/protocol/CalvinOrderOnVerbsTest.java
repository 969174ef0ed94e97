package dev.rcc.it.protocol;

import org.junit.jupiter.api.Tag;

@Tag("rdma")
@OnNetwork.OnlyCalvin
class CalvinOrderOnVerbsTest extends CalvinOrderContract implements OnVerbs {}
