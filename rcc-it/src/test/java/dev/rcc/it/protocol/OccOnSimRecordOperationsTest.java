package dev.rcc.it.protocol;

class OccOnSimRecordOperationsTest extends RecordOperationsContract implements OccOnSim {}
