package dev.rcc.it.protocol;

class ExclusiveOnLocalFailureTest extends FailureContract implements ExclusiveOnLocal {}
