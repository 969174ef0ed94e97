package dev.rcc.it.protocol;

class MvccOnLocalFailureTest extends FailureContract implements MvccOnLocal {}
