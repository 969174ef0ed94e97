package dev.rcc.it.protocol;

class CalvinOnLocalFailureTest extends FailureContract implements CalvinOnLocal {}
