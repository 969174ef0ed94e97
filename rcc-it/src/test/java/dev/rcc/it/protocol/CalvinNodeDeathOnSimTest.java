package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinNodeDeathOnSimTest extends CalvinNodeDeathContract implements OnSim {}
