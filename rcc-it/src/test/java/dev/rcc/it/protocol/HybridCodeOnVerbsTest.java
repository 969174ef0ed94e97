package dev.rcc.it.protocol;

import org.junit.jupiter.api.Tag;

@Tag("rdma")
@EachProtocol.All
class HybridCodeOnVerbsTest extends HybridCodeContract implements OnVerbs {}
