package dev.rcc.it.protocol;

class SundialOnSimFailureTest extends FailureContract implements SundialOnSim {}
