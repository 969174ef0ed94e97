package dev.rcc.it.protocol;

@OnNetwork.EveryProtocol
class HybridCodeOnTcpTest extends HybridCodeContract implements OnTcp {}
