package dev.rcc.it.protocol;

class NowaitOnLocalRecordOperationsTest extends RecordOperationsContract implements NowaitOnLocal {}
