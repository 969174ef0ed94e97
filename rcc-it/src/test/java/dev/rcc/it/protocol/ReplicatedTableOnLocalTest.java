package dev.rcc.it.protocol;

@EachProtocol.All
class ReplicatedTableOnLocalTest extends ReplicatedTableContract implements EachProtocolOnLocal {}
