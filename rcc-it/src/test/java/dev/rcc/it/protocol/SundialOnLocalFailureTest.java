package dev.rcc.it.protocol;

class SundialOnLocalFailureTest extends FailureContract implements SundialOnLocal {}
