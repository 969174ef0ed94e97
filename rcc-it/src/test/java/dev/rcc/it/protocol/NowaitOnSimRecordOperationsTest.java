package dev.rcc.it.protocol;

class NowaitOnSimRecordOperationsTest extends RecordOperationsContract implements NowaitOnSim {}
