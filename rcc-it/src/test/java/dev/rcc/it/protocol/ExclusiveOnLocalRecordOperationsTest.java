package dev.rcc.it.protocol;

class ExclusiveOnLocalRecordOperationsTest extends RecordOperationsContract implements ExclusiveOnLocal {}
