package dev.rcc.it.protocol;

@EachProtocol.All
class ReplicationOnSimTest extends ReplicationContract implements OnSim {}
