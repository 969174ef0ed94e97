package dev.rcc.it.protocol;

class ExclusiveOnLocalIsolationTest extends IsolationContract implements ExclusiveOnLocal {}
