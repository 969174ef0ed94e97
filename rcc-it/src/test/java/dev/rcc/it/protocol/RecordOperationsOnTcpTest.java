package dev.rcc.it.protocol;

@EachProtocol.All
class RecordOperationsOnTcpTest extends RecordOperationsContract implements OnTcp {}
