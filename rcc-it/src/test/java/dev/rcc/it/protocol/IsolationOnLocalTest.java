package dev.rcc.it.protocol;

@EachProtocol.All
class IsolationOnLocalTest extends IsolationContract implements EachProtocolOnLocal {}
