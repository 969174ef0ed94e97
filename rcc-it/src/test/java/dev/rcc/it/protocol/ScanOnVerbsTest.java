package dev.rcc.it.protocol;

import org.junit.jupiter.api.Tag;

@Tag("rdma")
@OnVerbs.SampleInLab
class ScanOnVerbsTest extends ScanContract implements OnVerbs {}
