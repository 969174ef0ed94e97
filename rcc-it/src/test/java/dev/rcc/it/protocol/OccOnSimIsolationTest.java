package dev.rcc.it.protocol;

class OccOnSimIsolationTest extends IsolationContract implements OccOnSim {}
