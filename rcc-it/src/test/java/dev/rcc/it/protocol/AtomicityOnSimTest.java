package dev.rcc.it.protocol;

@EachProtocol.All
class AtomicityOnSimTest extends AtomicityContract implements OnSim {}
