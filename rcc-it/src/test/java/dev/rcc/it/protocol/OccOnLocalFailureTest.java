package dev.rcc.it.protocol;

class OccOnLocalFailureTest extends FailureContract implements OccOnLocal {}
