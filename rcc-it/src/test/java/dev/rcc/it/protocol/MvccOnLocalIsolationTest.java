package dev.rcc.it.protocol;

class MvccOnLocalIsolationTest extends IsolationContract implements MvccOnLocal {}
