package dev.rcc.it.protocol;

@OnNetwork.OnlyCalvin
class CalvinOrderOnTcpTest extends CalvinOrderContract implements OnTcp {}
