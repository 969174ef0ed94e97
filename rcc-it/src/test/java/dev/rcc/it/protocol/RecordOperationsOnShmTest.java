package dev.rcc.it.protocol;

@OnNetwork.EveryProtocol
class RecordOperationsOnShmTest extends RecordOperationsContract implements OnShm {}
