package dev.rcc.it.protocol;

@OnNetwork.OnlyCalvin
class CalvinOrderOnShmTest extends CalvinOrderContract implements OnShm {}
