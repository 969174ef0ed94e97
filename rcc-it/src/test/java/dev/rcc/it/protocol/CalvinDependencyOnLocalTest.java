package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinDependencyOnLocalTest extends CalvinDependencyContract implements EachProtocolOnLocal {}
