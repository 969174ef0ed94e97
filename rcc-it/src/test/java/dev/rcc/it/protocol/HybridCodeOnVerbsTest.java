package dev.rcc.it.protocol;

import org.junit.jupiter.api.Tag;

@Tag("rdma")
@OnNetwork.EveryProtocol
class HybridCodeOnVerbsTest extends HybridCodeContract implements OnVerbs {}
