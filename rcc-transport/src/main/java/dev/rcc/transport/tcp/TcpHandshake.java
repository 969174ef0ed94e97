package dev.rcc.transport.tcp;

import dev.rcc.core.memory.Memory;
import dev.rcc.transport.control.LinkFaults;
import dev.rcc.transport.tcp.TcpFrames.BadFrame;

/** What a connection does until it is part of an active link: says hello, or hears it. Used on an I/O thread. */
final class TcpHandshake implements TcpStream.Receiver {
    private final TcpFabric fabric;
    private TcpLink link;
    private TcpStream current;

    /** Of a connection that {@code link} has dialled, or, if null, of one that somebody else has. */
    TcpHandshake(TcpFabric fabric, TcpLink link) {
        this.fabric = fabric;
        this.link = link;
    }

    @Override
    public void arrived(TcpStream stream) {
        if (!stream.isStopped()) { // what follows is for whoever gets the connection
            current = stream;
            stream.process();
        }
    }

    @Override
    public void frame(Memory in, int offset, int length) throws BadFrame {
        byte type = (byte) (in.getLong(offset) >>> TcpFrames.TYPE_SHIFT);
        boolean dialled = link != null;
        int expected = dialled ? TcpFrames.WELCOME_BYTES : TcpFrames.HELLO_BYTES;
        if (type != (dialled ? TcpFrames.WELCOME : TcpFrames.HELLO)
                || length != expected
                || in.getLong(offset + TcpFrames.HELLO_MAGIC_OFFSET) != TcpFrames.MAGIC) {
            throw new BadFrame("of type " + type + " with " + length + " bytes, not what a connection begins with");
        }
        current.stop();
        if (dialled) {
            link.welcomed();
            return;
        }
        byte[] token = new byte[TcpFrames.TOKEN_BYTES];
        in.getBytes(offset + TcpFrames.HELLO_TOKEN_OFFSET, token, 0, token.length);
        long word = in.getLong(offset + TcpFrames.HELLO_NODE_OFFSET);
        link = fabric.linkOf((int) word, token, (int) (word >>> 32), current);
        if (link == null) {
            throw new BadFrame("it does not show the token that this node has given to node " + (int) word);
        }
        LinkFaults.peer(current.channel(), link.peer());
        link.greeted();
    }

    @Override
    public void ended(TcpStream stream, String reason, boolean misbehaved) {
        fabric.leftHandshake(stream);
        if (link != null) {
            link.fail(reason, misbehaved);
        } else {
            fabric.strangerLeft(stream, reason, misbehaved);
        }
    }
}
