package dev.rcc.it.protocol;

@EachProtocol.All
class ScanOnLocalTest extends ScanContract implements EachProtocolOnLocal {}
