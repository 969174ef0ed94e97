package dev.rcc.it.protocol;

@EachProtocol.All
class IsolationOnSimWithDeviceAtomicsTest extends IsolationContract implements OnSimWithDeviceAtomics {}
