package dev.rcc.it.protocol;

class OccOnLocalRecordOperationsTest extends RecordOperationsContract implements OccOnLocal {}
