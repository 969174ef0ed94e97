package dev.rcc.it.protocol;

class SundialOnSimIsolationTest extends IsolationContract implements SundialOnSim {}
