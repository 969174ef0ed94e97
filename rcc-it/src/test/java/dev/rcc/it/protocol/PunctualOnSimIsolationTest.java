package dev.rcc.it.protocol;

class PunctualOnSimIsolationTest extends IsolationContract implements PunctualOnSim {}
