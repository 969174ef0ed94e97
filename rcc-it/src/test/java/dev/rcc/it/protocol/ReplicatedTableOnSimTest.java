package dev.rcc.it.protocol;

@EachProtocol.All
class ReplicatedTableOnSimTest extends ReplicatedTableContract implements OnSim {}
