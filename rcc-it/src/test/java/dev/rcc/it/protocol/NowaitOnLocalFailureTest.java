package dev.rcc.it.protocol;

class NowaitOnLocalFailureTest extends FailureContract implements NowaitOnLocal {}
