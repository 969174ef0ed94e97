package dev.rcc.it.protocol;

class WaitdieOnLocalRecordOperationsTest extends RecordOperationsContract implements WaitdieOnLocal {}
