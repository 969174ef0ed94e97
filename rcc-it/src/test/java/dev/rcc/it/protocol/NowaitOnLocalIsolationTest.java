package dev.rcc.it.protocol;

class NowaitOnLocalIsolationTest extends IsolationContract implements NowaitOnLocal {}
