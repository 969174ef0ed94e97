package dev.rcc.it.protocol;

class CalvinOnSimNodeDeathTest extends CalvinNodeDeathContract implements CalvinOnSim {}
