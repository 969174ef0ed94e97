package dev.rcc.it.protocol;

class OccOnLocalIsolationTest extends IsolationContract implements OccOnLocal {}
