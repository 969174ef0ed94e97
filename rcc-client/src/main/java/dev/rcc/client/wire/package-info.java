/**
 * The wire protocol between clients and gateways: its messages, and their bytes. The page {@code docs/wire-protocol.md} draws
 * every frame byte by byte.
 *
 * <p>Entry: {@link dev.rcc.client.wire.Message}, and {@link dev.rcc.client.wire.MessageCodec} and
 * {@link dev.rcc.client.wire.FrameDecoder}, which write and read frames. Depends on Netty's buffers and on no other package of RCC;
 * both sides of a connection use it. A frame is hostile until it has been decoded. Bytes that this package would not have written exactly so
 * are a {@link dev.rcc.client.wire.MalformedFrame}, and no length is trusted before its bytes are there.
 */
package dev.rcc.client.wire;
