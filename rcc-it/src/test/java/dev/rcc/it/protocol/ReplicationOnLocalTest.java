package dev.rcc.it.protocol;

@EachProtocol.All
class ReplicationOnLocalTest extends ReplicationContract implements EachProtocolOnLocal {}
