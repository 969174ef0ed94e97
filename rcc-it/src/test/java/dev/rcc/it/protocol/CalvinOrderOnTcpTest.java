package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinOrderOnTcpTest extends CalvinOrderContract implements OnTcp {}
