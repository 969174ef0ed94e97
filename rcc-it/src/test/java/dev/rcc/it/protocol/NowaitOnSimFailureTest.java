package dev.rcc.it.protocol;

class NowaitOnSimFailureTest extends FailureContract implements NowaitOnSim {}
