package dev.rcc.it.protocol;

class PunctualOnLocalFailureTest extends FailureContract implements PunctualOnLocal {}
