/**
 * The wire protocol between clients and gateways: its messages, and their bytes. The page {@code docs/wire-protocol.md} draws
 * every frame byte by byte.
 *
 * <p>Entry: {@link dev.rcc.client.wire.Message}, and {@link dev.rcc.client.wire.MessageCodec} and
 * {@link dev.rcc.client.wire.FrameDecoder}, by which frames are written and read. Knows Netty's buffers and no other package of RCC's;
 * both sides of a connection use it. A frame is hostile until it has been decoded: whatever is not exactly what this package would
 * have written is a {@link dev.rcc.client.wire.MalformedFrame}, and no length is believed before its bytes are there.
 */
package dev.rcc.client.wire;
