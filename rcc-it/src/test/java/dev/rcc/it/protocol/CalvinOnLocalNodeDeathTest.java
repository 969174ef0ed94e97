package dev.rcc.it.protocol;

class CalvinOnLocalNodeDeathTest extends CalvinNodeDeathContract implements CalvinOnLocal {}
