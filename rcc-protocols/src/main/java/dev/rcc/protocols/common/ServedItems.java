package dev.rcc.protocols.common;

import dev.rcc.core.fabric.RpcRequest;
import dev.rcc.core.memory.Memory;

/**
 * A request of {@link Calls} as a participant serves it: goes through its items, and through those of the reply, whose first word is the
 * number of items that were served. Reused from request to request; used on the worker that is called; allocates nothing.
 */
public final class ServedItems {
    private RpcRequest request;
    private Memory payload;
    private Memory response;
    private long headerWord;
    private int size;
    private int served;
    private long item;
    private long reply;

    /** Starts without a request. */
    public ServedItems() {}

    /** Begins with another request. */
    public void begin(RpcRequest newRequest) {
        begin(newRequest.payload(), newRequest.payloadOffset());
        request = newRequest;
        response = newRequest.response();
        reply = newRequest.responseOffset() + Memory.WORD_BYTES;
    }

    /** Begins with a message that no peer has sent: there is no reply. */
    void begin(Memory message, long offset) {
        request = null;
        response = null;
        payload = message;
        size = Calls.items(message, offset);
        headerWord = Calls.headerWord(message, offset);
        item = offset + Calls.HEADER_BYTES;
        served = 0;
    }

    /** Whether there is an item that has not been served. */
    public boolean hasNext() {
        return served < size;
    }

    /** The item is served: the next item starts {@code itemBytes} further, and its reply {@code replyBytes} further. */
    public void next(int itemBytes, int replyBytes) {
        item += itemBytes;
        reply += replyBytes;
        served++;
    }

    /** The word that the stage put into the request's header. */
    public long headerWord() {
        return headerWord;
    }

    /** The memory that holds the request. */
    public Memory payload() {
        return payload;
    }

    /** Where the item starts in {@link #payload}. */
    public long item() {
        return item;
    }

    /** The memory that holds the reply. */
    public Memory response() {
        return response;
    }

    /** Where the item's reply goes in {@link #response}. */
    public long reply() {
        return reply;
    }

    /** Sends the number of items that were served, and the replies that were written for them. */
    public void sendReplies() {
        response.putLong(request.responseOffset(), served);
        send((int) (reply - request.responseOffset()));
    }

    /** Sends an empty reply: the request was served. */
    public void sendDone() {
        send(0);
    }

    private void send(int bytes) {
        RpcRequest done = request;
        request = null; // the object may serve another request from here on
        done.reply(bytes);
    }
}
