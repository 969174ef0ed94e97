package dev.rcc.it.protocol;

import org.junit.jupiter.api.Tag;

@Tag("rdma")
@EachProtocol.All
class ScanOnVerbsTest extends ScanContract implements OnVerbs {}
