package dev.rcc.it.protocol;

@EachProtocol.All
class RecordOperationsOnShmTest extends RecordOperationsContract implements OnShm {}
