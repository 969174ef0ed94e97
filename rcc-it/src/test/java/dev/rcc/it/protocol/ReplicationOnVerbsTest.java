package dev.rcc.it.protocol;

import org.junit.jupiter.api.Tag;

@Tag("rdma")
@OnNetwork.EveryProtocol
class ReplicationOnVerbsTest extends ReplicationContract implements OnVerbs {}
