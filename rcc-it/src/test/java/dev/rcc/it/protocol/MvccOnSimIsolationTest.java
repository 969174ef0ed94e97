package dev.rcc.it.protocol;

class MvccOnSimIsolationTest extends IsolationContract implements MvccOnSim {}
