package dev.rcc.it.protocol;

class OccOnSimFailureTest extends FailureContract implements OccOnSim {}
