package dev.rcc.it.protocol;

class MvccOnSimFailureTest extends FailureContract implements MvccOnSim {}
