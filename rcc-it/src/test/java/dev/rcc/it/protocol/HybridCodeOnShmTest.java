package dev.rcc.it.protocol;

@OnNetwork.EveryProtocol
class HybridCodeOnShmTest extends HybridCodeContract implements OnShm {}
