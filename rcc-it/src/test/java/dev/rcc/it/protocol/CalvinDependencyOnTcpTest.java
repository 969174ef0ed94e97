package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinDependencyOnTcpTest extends CalvinDependencyContract implements OnTcp {}
