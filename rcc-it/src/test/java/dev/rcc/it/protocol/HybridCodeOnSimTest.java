package dev.rcc.it.protocol;

@EachProtocol.All
class HybridCodeOnSimTest extends HybridCodeContract implements OnSim {}
