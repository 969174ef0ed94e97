package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinOrderOnSimTest extends CalvinOrderContract implements OnSim {}
