package dev.rcc.it.protocol;

@EachProtocol.All
class HybridCodeOnShmTest extends HybridCodeContract implements OnShm {}
