package dev.rcc.it.protocol;

class CalvinOnSimOrderTest extends CalvinOrderContract implements CalvinOnSim {}
