package dev.rcc.it.protocol;

@OnNetwork.EveryProtocol
class ScanOnTcpTest extends ScanContract implements OnTcp {}
