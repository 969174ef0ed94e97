package dev.rcc.it.protocol;

@OnNetwork.EveryProtocol
class RecordOperationsOnTcpTest extends RecordOperationsContract implements OnTcp {}
