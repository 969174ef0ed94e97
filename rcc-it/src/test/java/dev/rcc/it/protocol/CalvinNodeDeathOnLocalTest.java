package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinNodeDeathOnLocalTest extends CalvinNodeDeathContract implements EachProtocolOnLocal {}
