package dev.rcc.it.protocol;

@OnNetwork.EveryProtocol
class AtomicityOnTcpTest extends AtomicityContract implements OnTcp {}
