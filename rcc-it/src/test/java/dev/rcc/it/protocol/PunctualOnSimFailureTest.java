package dev.rcc.it.protocol;

class PunctualOnSimFailureTest extends FailureContract implements PunctualOnSim {}
