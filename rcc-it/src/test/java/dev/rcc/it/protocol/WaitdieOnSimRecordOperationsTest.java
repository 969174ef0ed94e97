package dev.rcc.it.protocol;

class WaitdieOnSimRecordOperationsTest extends RecordOperationsContract implements WaitdieOnSim {}
