package dev.rcc.it.protocol;

class PunctualOnLocalIsolationTest extends IsolationContract implements PunctualOnLocal {}
