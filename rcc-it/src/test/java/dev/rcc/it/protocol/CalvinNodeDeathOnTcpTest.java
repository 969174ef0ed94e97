package dev.rcc.it.protocol;

@OnNetwork.OnlyCalvin
class CalvinNodeDeathOnTcpTest extends CalvinNodeDeathContract implements OnTcp {}
