package dev.rcc.it.protocol;

class PunctualOnLocalRecordOperationsTest extends RecordOperationsContract implements PunctualOnLocal {}
