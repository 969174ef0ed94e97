package dev.rcc.it.protocol;

@EachProtocol.All
class ReadThenWriteOnLocalTest extends ReadThenWriteContract implements EachProtocolOnLocal {}
