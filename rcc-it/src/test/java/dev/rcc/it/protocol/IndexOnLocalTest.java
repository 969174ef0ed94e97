package dev.rcc.it.protocol;

@EachProtocol.All
class IndexOnLocalTest extends IndexContract implements EachProtocolOnLocal {}
