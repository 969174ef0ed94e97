package dev.rcc.it.protocol;

@EachProtocol.All
class AtomicityOnTcpTest extends AtomicityContract implements OnTcp {}
