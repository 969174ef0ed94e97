package dev.rcc.it.protocol;

@EachProtocol.All
class OverflowOnLocalTest extends OverflowContract implements EachProtocolOnLocal {}
