package dev.rcc.it.protocol;

@EachProtocol.All
class HybridCodeOnLocalTest extends HybridCodeContract implements EachProtocolOnLocal {}
