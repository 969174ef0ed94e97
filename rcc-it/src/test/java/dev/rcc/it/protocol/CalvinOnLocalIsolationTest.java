package dev.rcc.it.protocol;

class CalvinOnLocalIsolationTest extends IsolationContract implements CalvinOnLocal {}
