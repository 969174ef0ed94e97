package dev.rcc.it.protocol;

@EachProtocol.All
class HybridCodeOnSimWithDeviceAtomicsTest extends HybridCodeContract implements OnSimWithDeviceAtomics {}
