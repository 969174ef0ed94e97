package dev.rcc.it.protocol;

@EachProtocol.All
class FailureOnLocalTest extends FailureContract implements EachProtocolOnLocal {}
