package dev.rcc.it.protocol;

@OnNetwork.OnlyCalvin
class CalvinDependencyOnShmTest extends CalvinDependencyContract implements OnShm {}
