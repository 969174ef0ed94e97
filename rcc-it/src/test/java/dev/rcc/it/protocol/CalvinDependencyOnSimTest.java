package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinDependencyOnSimTest extends CalvinDependencyContract implements OnSim {}
