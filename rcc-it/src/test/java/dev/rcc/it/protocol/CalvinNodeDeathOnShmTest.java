package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinNodeDeathOnShmTest extends CalvinNodeDeathContract implements OnShm {}
