package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinOrderOnLocalTest extends CalvinOrderContract implements EachProtocolOnLocal {}
