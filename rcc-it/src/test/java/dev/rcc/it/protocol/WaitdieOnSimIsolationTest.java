package dev.rcc.it.protocol;

class WaitdieOnSimIsolationTest extends IsolationContract implements WaitdieOnSim {}
