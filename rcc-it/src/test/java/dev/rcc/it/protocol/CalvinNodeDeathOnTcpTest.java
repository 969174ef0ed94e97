package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinNodeDeathOnTcpTest extends CalvinNodeDeathContract implements OnTcp {}
