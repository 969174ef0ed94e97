package dev.rcc.it.protocol;

@EachProtocol.All
class ScanOnShmTest extends ScanContract implements OnShm {}
