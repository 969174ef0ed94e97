package dev.rcc.it.protocol;

class SundialOnLocalIsolationTest extends IsolationContract implements SundialOnLocal {}
