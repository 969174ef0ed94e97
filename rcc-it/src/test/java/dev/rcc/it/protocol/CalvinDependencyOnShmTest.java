package dev.rcc.it.protocol;

@EachProtocol.OnlyCalvin
class CalvinDependencyOnShmTest extends CalvinDependencyContract implements OnShm {}
