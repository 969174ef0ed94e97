package dev.rcc.it.protocol;

class MvccOnLocalRecordOperationsTest extends RecordOperationsContract implements MvccOnLocal {}
