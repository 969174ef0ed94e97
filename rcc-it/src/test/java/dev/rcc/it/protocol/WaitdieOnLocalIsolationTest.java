package dev.rcc.it.protocol;

class WaitdieOnLocalIsolationTest extends IsolationContract implements WaitdieOnLocal {}
