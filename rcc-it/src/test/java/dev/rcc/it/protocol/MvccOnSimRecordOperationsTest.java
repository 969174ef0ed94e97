package dev.rcc.it.protocol;

class MvccOnSimRecordOperationsTest extends RecordOperationsContract implements MvccOnSim {}
