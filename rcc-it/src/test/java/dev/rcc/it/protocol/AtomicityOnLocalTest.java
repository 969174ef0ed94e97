package dev.rcc.it.protocol;

@EachProtocol.All
class AtomicityOnLocalTest extends AtomicityContract implements EachProtocolOnLocal {}
