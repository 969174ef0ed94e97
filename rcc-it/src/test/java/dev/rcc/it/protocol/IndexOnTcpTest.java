package dev.rcc.it.protocol;

@EachProtocol.All
class IndexOnTcpTest extends IndexContract implements OnTcp {}
