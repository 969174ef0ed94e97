package dev.rcc.it.protocol;

@EachProtocol.All
class ScanOnTcpTest extends ScanContract implements OnTcp {}
