package dev.rcc.it.protocol;

@OnNetwork.OnlyCalvin
class CalvinNodeDeathOnShmTest extends CalvinNodeDeathContract implements OnShm {}
