package dev.rcc.it.protocol;

@EachProtocol.All
class IndexOnShmTest extends IndexContract implements OnShm {}
