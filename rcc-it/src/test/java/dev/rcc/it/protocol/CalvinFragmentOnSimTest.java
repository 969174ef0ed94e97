package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinFragmentOnSimTest extends CalvinFragmentContract implements OnSim {}
