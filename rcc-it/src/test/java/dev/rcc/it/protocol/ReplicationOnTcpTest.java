package dev.rcc.it.protocol;

@OnNetwork.EveryProtocol
class ReplicationOnTcpTest extends ReplicationContract implements OnTcp {}
