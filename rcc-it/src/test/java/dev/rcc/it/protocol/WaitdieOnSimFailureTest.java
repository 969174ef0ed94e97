package dev.rcc.it.protocol;

class WaitdieOnSimFailureTest extends FailureContract implements WaitdieOnSim {}
