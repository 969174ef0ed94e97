package dev.rcc.it.protocol;

class CalvinOnSimIsolationTest extends IsolationContract implements CalvinOnSim {}
