package dev.rcc.it.protocol;

class WaitdieOnLocalFailureTest extends FailureContract implements WaitdieOnLocal {}
