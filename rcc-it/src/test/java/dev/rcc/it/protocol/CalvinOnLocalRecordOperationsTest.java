package dev.rcc.it.protocol;

class CalvinOnLocalRecordOperationsTest extends RecordOperationsContract implements CalvinOnLocal {}
