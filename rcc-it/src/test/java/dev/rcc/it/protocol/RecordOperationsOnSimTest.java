package dev.rcc.it.protocol;

@EachProtocol.All
class RecordOperationsOnSimTest extends RecordOperationsContract implements OnSim {}
