package dev.rcc.it.protocol;

@EachProtocol.All
class HybridCodeOnTcpTest extends HybridCodeContract implements OnTcp {}
