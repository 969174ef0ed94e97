package dev.rcc.it.protocol;

class CalvinOnLocalOrderTest extends CalvinOrderContract implements CalvinOnLocal {}
