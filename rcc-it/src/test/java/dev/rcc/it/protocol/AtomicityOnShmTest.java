package dev.rcc.it.protocol;

@EachProtocol.All
class AtomicityOnShmTest extends AtomicityContract implements OnShm {}
