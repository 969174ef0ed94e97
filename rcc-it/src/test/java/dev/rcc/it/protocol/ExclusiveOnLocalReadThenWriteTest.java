package dev.rcc.it.protocol;

class ExclusiveOnLocalReadThenWriteTest extends ReadThenWriteContract implements ExclusiveOnLocal {}
