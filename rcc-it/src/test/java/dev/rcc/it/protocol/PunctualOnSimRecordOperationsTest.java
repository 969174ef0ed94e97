package dev.rcc.it.protocol;

class PunctualOnSimRecordOperationsTest extends RecordOperationsContract implements PunctualOnSim {}
