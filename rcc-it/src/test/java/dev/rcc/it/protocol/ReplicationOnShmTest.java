package dev.rcc.it.protocol;

@EachProtocol.All
class ReplicationOnShmTest extends ReplicationContract implements OnShm {}
