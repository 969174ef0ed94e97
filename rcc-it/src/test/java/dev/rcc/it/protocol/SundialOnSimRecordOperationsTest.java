package dev.rcc.it.protocol;

class SundialOnSimRecordOperationsTest extends RecordOperationsContract implements SundialOnSim {}
