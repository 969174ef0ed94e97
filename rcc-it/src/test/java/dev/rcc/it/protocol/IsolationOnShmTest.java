package dev.rcc.it.protocol;

@OnNetwork.EveryProtocol
class IsolationOnShmTest extends IsolationContract implements OnShm {}
