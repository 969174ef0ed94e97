package dev.rcc.it.protocol;

class NowaitOnSimIsolationTest extends IsolationContract implements NowaitOnSim {}
