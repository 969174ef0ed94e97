package dev.rcc.it.protocol;

class CalvinOnSimDependencyTest extends CalvinDependencyContract implements CalvinOnSim {}
