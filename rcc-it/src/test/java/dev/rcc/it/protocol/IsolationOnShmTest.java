package dev.rcc.it.protocol;

@EachProtocol.All
class IsolationOnShmTest extends IsolationContract implements OnShm {}
