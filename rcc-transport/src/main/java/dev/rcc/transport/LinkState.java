package dev.rcc.transport;

/**
 * The state of the link to one peer. {@link PeerLinks} has one for every peer, and acts on the transitions.
 *
 * <pre>
 *            wanted            begun              made
 *     IDLE ----------&gt; ASKING ---------&gt; MAKING ---------&gt; USING
 *       ^                |  ^               |                |
 *       |  refused,      |  |               |  ended,        |  ended,
 *       |  failed,       |  |               |  dropped       |  dropped
 *       |  dropped       |  |               |                |
 *       +----------------+--|---------------+----------------+
 *                        |  |
 *                 wanted |  | refused, failed: asked again, as the first question may have come too early
 *                        v  |
 *                   ASKING_AGAIN      begun: to MAKING; dropped: to IDLE
 *
 *   accepted, in any state: to MAKING
 * </pre>
 */
enum LinkState {
    /** There is no link, and none is being made: the peer is gone, does not answer yet, or will be asked again later. */
    IDLE,
    /** The peer was asked for a link. */
    ASKING,
    /** The peer was asked for a link, and a new reason to ask it has come up since. */
    ASKING_AGAIN,
    /** Both sides make the link. */
    MAKING,
    /** The link is in use. */
    USING;

    /** An event of a link. */
    enum Event {
        /** There is a reason to make a link: the peer has come up or was admitted, or the wait after a failure is over. */
        WANTED,
        /** The peer has answered that it can't make a link now. */
        REFUSED,
        /** The question failed, or its answer is unusable. */
        FAILED,
        /** The peer has agreed. */
        BEGUN,
        /** The peer has asked for a link, and this node agrees. */
        ACCEPTED,
        /** The link is complete. */
        MADE,
        /** The link broke, or could not be made. */
        ENDED,
        /** The link must end: the peer is down or cut off, or this node leaves. */
        DROPPED
    }

    /**
     * The state after an event.
     *
     * @throws IllegalStateException when the event cannot happen in this state
     */
    LinkState after(Event event) {
        return switch (event) {
            case WANTED ->
                switch (this) {
                    case IDLE -> ASKING;
                    case ASKING, ASKING_AGAIN -> ASKING_AGAIN;
                    case MAKING, USING -> this;
                };
            case REFUSED, FAILED ->
                switch (this) {
                    case ASKING -> IDLE;
                    case ASKING_AGAIN -> ASKING;
                    case IDLE, MAKING, USING -> throw impossible(event);
                };
            case BEGUN ->
                switch (this) {
                    case ASKING, ASKING_AGAIN -> MAKING;
                    case IDLE, MAKING, USING -> throw impossible(event);
                };
            case ACCEPTED -> MAKING;
            case MADE ->
                switch (this) {
                    case MAKING -> USING;
                    case IDLE, ASKING, ASKING_AGAIN, USING -> throw impossible(event);
                };
            case ENDED ->
                switch (this) {
                    case MAKING, USING -> IDLE;
                    case IDLE, ASKING, ASKING_AGAIN -> throw impossible(event);
                };
            case DROPPED -> IDLE;
        };
    }

    private IllegalStateException impossible(Event event) {
        return new IllegalStateException("a link that is " + this + " cannot be " + event);
    }

    /** Whether the peer has been asked for a link, and has not answered yet. */
    boolean isAsking() {
        return this == ASKING || this == ASKING_AGAIN;
    }
}
