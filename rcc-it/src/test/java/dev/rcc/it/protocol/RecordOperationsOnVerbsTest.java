package dev.rcc.it.protocol;

import org.junit.jupiter.api.Tag;

@Tag("rdma")
@OnNetwork.EveryProtocol
class RecordOperationsOnVerbsTest extends RecordOperationsContract implements OnVerbs {}
