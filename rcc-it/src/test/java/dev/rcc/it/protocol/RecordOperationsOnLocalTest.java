package dev.rcc.it.protocol;

@EachProtocol.All
class RecordOperationsOnLocalTest extends RecordOperationsContract implements EachProtocolOnLocal {}
