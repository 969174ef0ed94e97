package dev.rcc.it.protocol;

@EachProtocol.All
class IndexOnSimTest extends IndexContract implements OnSim {}
