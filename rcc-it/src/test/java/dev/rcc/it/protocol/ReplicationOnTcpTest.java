package dev.rcc.it.protocol;

@EachProtocol.All
class ReplicationOnTcpTest extends ReplicationContract implements OnTcp {}
