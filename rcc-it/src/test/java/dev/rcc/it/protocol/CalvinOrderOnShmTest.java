package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinOrderOnShmTest extends CalvinOrderContract implements OnShm {}
