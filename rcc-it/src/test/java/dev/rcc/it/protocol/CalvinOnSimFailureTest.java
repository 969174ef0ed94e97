package dev.rcc.it.protocol;

class CalvinOnSimFailureTest extends FailureContract implements CalvinOnSim {}
