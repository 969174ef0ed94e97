package dev.rcc.it.protocol;

class SundialOnLocalRecordOperationsTest extends RecordOperationsContract implements SundialOnLocal {}
