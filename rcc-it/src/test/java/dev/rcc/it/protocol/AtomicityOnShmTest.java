package dev.rcc.it.protocol;

@OnNetwork.EveryProtocol
class AtomicityOnShmTest extends AtomicityContract implements OnShm {}
