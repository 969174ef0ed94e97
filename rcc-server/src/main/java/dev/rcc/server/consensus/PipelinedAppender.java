package dev.rcc.server.consensus;

import java.io.IOException;
import java.util.Comparator;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.leader.FollowerInfo;
import org.apache.ratis.server.leader.LeaderState;
import org.apache.ratis.server.leader.LogAppenderBase;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.util.Timestamp;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends a leader's entries to one follower, and does not wait for the replies: the next entries go at once (Ongaro's thesis, 10.2.1). The
 * follower takes messages in the order in which they were sent. If it does not take a message, it takes none that was sent after that one.
 * The leader then sends all entries again from there. Negative replies to messages sent before that are too late to move the position.
 */
final class PipelinedAppender extends LogAppenderBase {
    private static final Logger LOG = LoggerFactory.getLogger(PipelinedAppender.class);
    /** So few that the groups which a node leads leave room for other questions on the control channel. */
    private static final int OUTSTANDING_MAX = 16;
    /** How long a follower that could not be reached is left alone. */
    private static final long PAUSE_MILLIS = 20;
    /** How long the follower waits for an entry with a new commit index before it is sent a message without entries. */
    private static final long NEWS_MILLIS = 20;

    private final AtomicLong callId = new AtomicLong();
    private final ControlRpc rpc;
    /** Messages with entries that have not been replied to. */
    private int outstanding;
    /** Messages without entries that have not been replied to. */
    private int beats;
    /** Counts how often entries had to be sent to the follower again. */
    private long round;

    private boolean failed;
    /** The last commit index that was sent. */
    private long told = RaftLog.INVALID_LOG_INDEX;

    PipelinedAppender(RaftServer.Division server, LeaderState leader, FollowerInfo follower) {
        super(server, leader, follower);
        this.rpc = (ControlRpc) getServerRpc();
    }

    @Override
    public long getCallId() {
        return callId.get();
    }

    @Override
    public Comparator<Long> getCallIdComparator() {
        return Long::compare;
    }

    @Override
    public synchronized boolean hasPendingDataRequests() {
        return outstanding > 0;
    }

    @Override
    public void run() throws IOException, InterruptedException {
        while (isRunning()) {
            if (takeFailure()) {
                TimeUnit.MILLISECONDS.sleep(PAUSE_MILLIS);
            }
            boolean sent = isFull() ? shouldBeat() && send(true) : hasAppendEntries() && send(false);
            if (!sent && (shouldBeat() || hasNews())) {
                sent = send(true);
            }
            if (!sent) {
                getEventAwaitForSignal().await(Math.max(1, waitMillis()), TimeUnit.MILLISECONDS);
            }
            getLeaderState().checkHealth(getFollower());
        }
    }

    private boolean shouldBeat() {
        return getHeartbeatWaitTimeMs() <= 0;
    }

    /**
     * Whether entries have been committed since the follower was last sent the commit index, and no message has been sent to it for a
     * while. No such message is sent before the follower has replied to the one before.
     */
    private synchronized boolean hasNews() {
        long committed = getRaftLog().getLastCommittedIndex();
        return beats == 0
                && committed > told
                && committed > getFollower().getCommitIndex()
                && getFollower().getLastRpcSendTime().elapsedTimeMs() >= NEWS_MILLIS;
    }

    /** While the log has entries that the follower has not been notified of as committed, there may soon be news. */
    private long waitMillis() {
        long heartbeat = getHeartbeatWaitTimeMs();
        return getRaftLog().getNextIndex() - 1 > told ? Math.min(NEWS_MILLIS, heartbeat) : heartbeat;
    }

    private synchronized boolean isFull() {
        return outstanding >= OUTSTANDING_MAX;
    }

    private synchronized boolean takeFailure() {
        boolean had = failed;
        failed = false;
        return had;
    }

    private boolean send(boolean heartbeat) throws IOException {
        AppendEntriesRequestProto request;
        long sentIn;
        synchronized (this) {
            long committed = getRaftLog().getLastCommittedIndex();
            request = newAppendEntriesRequest(callId.getAndIncrement(), heartbeat);
            if (request == null) {
                return false;
            }
            told = committed;
            sentIn = round;
            int count = request.getEntriesCount();
            if (count > 0) {
                outstanding++;
                getFollower().increaseNextIndex(request.getEntries(count - 1).getIndex() + 1);
            } else {
                beats++;
            }
        }
        resetHeartbeatTrigger();
        Timestamp sentAt = Timestamp.currentTime();
        getFollower().updateLastRpcSendTime(request.getEntriesCount() == 0);
        var _ = rpc.appendLater(request).whenComplete((reply, failure) -> {
            try {
                if (failure == null) {
                    getFollower().updateLastRpcResponseTime();
                    getFollower().updateLastRespondedAppendEntriesSendTime(sentAt);
                    replied(request, reply, sentIn);
                } else {
                    failed(request, sentIn);
                }
            } catch (RuntimeException e) {
                LOG.warn("event=raft_reply_invalid follower={}", getFollower().getName(), e);
            }
            notifyLogAppender();
        });
        return true;
    }

    private void replied(AppendEntriesRequestProto request, AppendEntriesReplyProto reply, long sentIn) {
        ended(request);
        switch (reply.getResult()) {
            case SUCCESS -> {
                getLeaderState().onFollowerCommitIndex(getFollower(), reply.getFollowerCommit());
                if (getFollower().updateMatchIndex(reply.getMatchIndex())) {
                    getFollower().updateNextIndex(reply.getMatchIndex() + 1);
                    getLeaderState().onFollowerSuccessAppendEntries(getFollower());
                }
            }
            case NOT_LEADER -> {
                boolean _ = onFollowerTerm(reply.getTerm());
            }
            case INCONSISTENCY -> {
                long first =
                        request.getEntriesCount() > 0 ? request.getEntries(0).getIndex() : RaftLog.INVALID_LOG_INDEX;
                goBack(sentIn, getNextIndexForInconsistency(first, reply.getNextIndex()));
            }
            default -> throw new IllegalStateException("the unknown result " + reply.getResult());
        }
        getLeaderState().onAppendEntriesReply(this, reply);
    }

    private void failed(AppendEntriesRequestProto request, long sentIn) {
        ended(request);
        synchronized (this) {
            failed = true;
        }
        if (request.getEntriesCount() > 0) {
            goBack(sentIn, getFollower().getMatchIndex() + 1);
        }
    }

    private synchronized void ended(AppendEntriesRequestProto request) {
        if (request.getEntriesCount() > 0) {
            outstanding--;
        } else {
            beats--;
        }
    }

    /** Sends again from {@code next} on, unless sending again has begun since the failed message was sent. */
    private synchronized void goBack(long sentIn, long next) {
        if (sentIn == round) {
            round++;
            getFollower().setNextIndex(next);
        }
    }
}
