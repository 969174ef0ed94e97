package dev.rcc.it.protocol;

class CalvinOnSimRecordOperationsTest extends RecordOperationsContract implements CalvinOnSim {}
