package dev.rcc.it.protocol;

@EachProtocol.All
class FailureOnShmTest extends FailureContract implements OnShm {}
