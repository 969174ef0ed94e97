package dev.rcc.it.protocol;

class CalvinOnLocalDependencyTest extends CalvinDependencyContract implements CalvinOnLocal {}
