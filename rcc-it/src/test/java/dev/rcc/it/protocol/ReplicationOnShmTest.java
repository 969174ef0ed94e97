package dev.rcc.it.protocol;

@OnNetwork.EveryProtocol
class ReplicationOnShmTest extends ReplicationContract implements OnShm {}
