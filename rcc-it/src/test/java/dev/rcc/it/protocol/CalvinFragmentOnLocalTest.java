package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinFragmentOnLocalTest extends CalvinFragmentContract implements EachProtocolOnLocal {}
