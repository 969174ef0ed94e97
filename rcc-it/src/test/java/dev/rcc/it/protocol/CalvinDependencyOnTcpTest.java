package dev.rcc.it.protocol;

@OnNetwork.OnlyCalvin
class CalvinDependencyOnTcpTest extends CalvinDependencyContract implements OnTcp {}
