package dev.rcc.it.protocol;

@OnNetwork.EveryProtocol
class ScanOnShmTest extends ScanContract implements OnShm {}
