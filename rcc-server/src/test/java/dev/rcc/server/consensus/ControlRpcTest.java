package dev.rcc.server.consensus;

import static dev.rcc.server.testing.Awaiting.HANG;
import static dev.rcc.server.testing.Awaiting.await;
import static org.assertj.core.api.Assertions.assertThat;

import dev.rcc.transport.control.ControlFailure;
import dev.rcc.transport.control.JvmControl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.apache.ratis.RaftConfigKeys;
import org.apache.ratis.conf.RaftProperties;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto;
import org.apache.ratis.proto.RaftProtos.AppendEntriesReplyProto.AppendResult;
import org.apache.ratis.proto.RaftProtos.AppendEntriesRequestProto;
import org.apache.ratis.proto.RaftProtos.LogEntryProto;
import org.apache.ratis.proto.RaftProtos.MetadataProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcReplyProto;
import org.apache.ratis.proto.RaftProtos.RaftRpcRequestProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteReplyProto;
import org.apache.ratis.proto.RaftProtos.RequestVoteRequestProto;
import org.apache.ratis.protocol.RaftGroup;
import org.apache.ratis.protocol.RaftGroupId;
import org.apache.ratis.protocol.RaftPeer;
import org.apache.ratis.server.RaftServer;
import org.apache.ratis.server.RaftServerConfigKeys;
import org.apache.ratis.server.protocol.TermIndex;
import org.apache.ratis.server.raftlog.RaftLog;
import org.apache.ratis.server.storage.RaftStorage;
import org.apache.ratis.statemachine.impl.BaseStateMachine;
import org.apache.ratis.util.ProtoUtils;
import org.apache.ratis.util.SizeInBytes;
import org.apache.ratis.util.TimeDuration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** One member of a group. The test plays the two others: they vote for it and take no entries, and later one of them leads. */
class ControlRpcTest {
    private static final int NODES = 3;
    private static final int OTHER_LEADER = 2;
    private static final int CANDIDATE = 1;
    private static final int ROUNDS = 50;
    /** Between the moments at which two rounds ask for a vote. */
    private static final long STEP_NANOS = 5_000;

    private static final String TOPIC = "raft";

    private static final RaftGroupId GROUP = RaftGroupId.valueOf(UUID.nameUUIDFromBytes(new byte[] {1}));

    @TempDir
    private Path directory;

    private final JvmControl.Cluster controls = new JvmControl.Cluster(NODES);
    private RaftServer server;

    @BeforeEach
    void becomeLeaderOfNobody() throws Exception {
        RaftProperties properties = new RaftProperties();
        RaftConfigKeys.Rpc.setType(properties, new ControlRpcType());
        RaftServerConfigKeys.setStorageDir(properties, List.of(directory.toFile()));
        RaftServerConfigKeys.setStorageFreeSpaceMin(properties, SizeInBytes.ONE_MB);
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMin(
                properties, TimeDuration.valueOf(20, TimeUnit.MILLISECONDS));
        RaftServerConfigKeys.Rpc.setFirstElectionTimeoutMax(
                properties, TimeDuration.valueOf(40, TimeUnit.MILLISECONDS));
        for (int node = 1; node < NODES; node++) {
            control(node);
        }
        List<RaftPeer> peers = IntStream.range(0, NODES)
                .mapToObj(node ->
                        RaftPeer.newBuilder().setId(ControlRpc.peerId(node)).build())
                .toList();
        server = RaftServer.newBuilder()
                .setServerId(ControlRpc.peerId(0))
                .setGroup(RaftGroup.valueOf(GROUP, peers))
                .setStateMachine(new BaseStateMachine())
                .setProperties(properties)
                .setParameters(ControlRpcType.parameters(control(0), ControlRpcType.Channel.of(TOPIC)))
                .setOption(RaftStorage.StartupOption.RECOVER)
                .build();
        server.start();
        ((ControlRpc) server.getServerRpc()).hasStarted(GROUP);
        await("it leads, and has an entry that nobody else has", () -> log().getNextIndex() > 0);
    }

    @AfterEach
    void close() throws IOException {
        server.close();
        for (int node = 0; node < NODES; node++) {
            controls.kill(node);
        }
    }

    // Goal: an entry that only its leader has written is not committed by the next leader's heartbeat, which
    // announces how far *that leader's* log is committed. Otherwise the entry would stay for ever, in place
    // of that leader's entry, and the node would take no further entry.
    @Test
    void shouldNotCommitAnEntryThatNoMessageOfTheLeaderHasShownToBeItsOwn() throws Exception {
        long mine = log().getTermIndex(0).getTerm();
        long term = mine + 1;
        AppendEntriesRequestProto heartbeat = message(term).setLeaderCommit(2).build();
        assertThat(send(heartbeat).getResult()).isEqualTo(AppendResult.SUCCESS);
        assertThat(log().getLastCommittedIndex()).as("committed").isEqualTo(RaftLog.INVALID_LOG_INDEX);

        AppendEntriesRequestProto entries = message(term)
                .addEntries(entry(term, 0))
                .addEntries(entry(term, 1))
                .setLeaderCommit(1)
                .build();
        assertThat(send(entries).getResult()).isEqualTo(AppendResult.SUCCESS);
        assertThat(log().getTermIndex(0).getTerm()).as("of the first entry").isEqualTo(term);
        await("both are committed", () -> log().getLastCommittedIndex() == 1);
    }

    @Test
    void shouldCommitAnEntryOnAFollowingHeartbeat() throws Exception {
        long term = log().getTermIndex(0).getTerm() + 1;
        AppendEntriesRequestProto entries = message(term)
                .addEntries(entry(term, 0))
                .setLeaderCommit(RaftLog.INVALID_LOG_INDEX)
                .build();
        assertThat(send(entries).getResult()).isEqualTo(AppendResult.SUCCESS);
        AppendEntriesRequestProto heartbeat = message(term)
                .setPreviousLog(log().getTermIndex(0).toProto())
                .setLeaderCommit(0)
                .build();
        assertThat(send(heartbeat).getResult()).isEqualTo(AppendResult.SUCCESS);
        await("it is committed", () -> log().getLastCommittedIndex() == 0);
    }

    // Goal: a leader that sends entries again, and more of them, does not hear that the node has entries which it did
    // not take. The leader would count them as replicated, and acknowledge what is lost with the leader.
    @Test
    void shouldReportOnlyEntriesThatItHas() throws Exception {
        long term = log().getTermIndex(0).getTerm() + 1;
        long next = 0;
        for (int i = 0; i < ROUNDS; i++) {
            List<CompletableFuture<byte[]>> answers = List.of(
                    answer(entries(term, next, 1)), answer(entries(term, next, 2)), answer(entries(term, next, 3)));
            for (CompletableFuture<byte[]> answer : answers) {
                AppendEntriesReplyProto reply = reply(answer);
                if (reply.getResult() == AppendResult.SUCCESS) {
                    assertThat(log().getTermIndex(reply.getMatchIndex()))
                            .as("entry %d, in round %d", reply.getMatchIndex(), i)
                            .isNotNull();
                }
            }
            next = log().getNextIndex();
        }
    }

    // Goal: a node does not acknowledge an entry after it has voted for a candidate that lacks it. The leader would
    // count the entry as committed, and the candidate's log would not have it.
    @Test
    void shouldNotAcknowledgeAnEntryAfterAVoteForACandidateWithoutIt() throws Exception {
        long term = log().getTermIndex(0).getTerm() + 1;
        assertThat(send(entries(term, 0, 1)).getResult()).isEqualTo(AppendResult.SUCCESS);
        for (int i = 0; i < ROUNDS; i++) {
            long next = log().getNextIndex();
            TermIndex last = log().getTermIndex(next - 1);
            CompletableFuture<byte[]> appended = answer(entries(term, next, 1));
            TimeUnit.NANOSECONDS.sleep(i * STEP_NANOS);
            boolean hasVoted = votesFor(term + 1, last);
            assertThat(hasVoted && reply(appended).getResult() == AppendResult.SUCCESS)
                    .as("voted, and acknowledged, in round %d", i)
                    .isFalse();
            term += 2;
            assertThat(send(heartbeat(term, log().getNextIndex())).getResult()).isEqualTo(AppendResult.SUCCESS);
        }
        assertThat(votesFor(term + 1, log().getTermIndex(log().getNextIndex() - 1)))
                .as("votes for a candidate that has all entries")
                .isTrue();
    }

    private boolean votesFor(long term, TermIndex last) throws Exception {
        byte[] question =
                ControlRpc.question(ControlRpc.VOTE, candidate(term, last).toByteArray());
        byte[] reply = ((ControlRpc) server.getServerRpc())
                .answer(CANDIDATE, question)
                .get(HANG.toSeconds(), TimeUnit.SECONDS);
        return RequestVoteReplyProto.parseFrom(reply).getServerReply().getSuccess();
    }

    private static RaftRpcRequestProto header(int from) {
        return RaftRpcRequestProto.newBuilder()
                .setRequestorId(ControlRpc.peerId(from).toByteString())
                .setReplyId(ControlRpc.peerId(0).toByteString())
                .setRaftGroupId(ProtoUtils.toRaftGroupIdProtoBuilder(GROUP))
                .build();
    }

    private CompletableFuture<byte[]> answer(AppendEntriesRequestProto request) {
        return ((ControlRpc) server.getServerRpc())
                .answer(OTHER_LEADER, ControlRpc.question(ControlRpc.APPEND, request.toByteArray()));
    }

    private static AppendEntriesReplyProto reply(CompletableFuture<byte[]> answer) throws Exception {
        return AppendEntriesReplyProto.parseFrom(answer.get(HANG.toSeconds(), TimeUnit.SECONDS));
    }

    private AppendEntriesRequestProto heartbeat(long term, long next) {
        AppendEntriesRequestProto.Builder message = message(term).setLeaderCommit(RaftLog.INVALID_LOG_INDEX);
        if (next > 0) {
            message.setPreviousLog(log().getTermIndex(next - 1).toProto());
        }
        return message.build();
    }

    private AppendEntriesRequestProto entries(long term, long first, int count) {
        AppendEntriesRequestProto.Builder message = heartbeat(term, first).toBuilder();
        for (long index = first; index < first + count; index++) {
            message.addEntries(entry(term, index));
        }
        return message.build();
    }

    private static RequestVoteRequestProto candidate(long term, TermIndex last) {
        return RequestVoteRequestProto.newBuilder()
                .setServerRequest(header(CANDIDATE))
                .setCandidateTerm(term)
                .setCandidateLastEntry(last.toProto())
                .build();
    }

    private JvmControl control(int node) {
        JvmControl control = controls.join(node);
        control.serve(TOPIC, (peer, question) -> vote(question));
        control.start();
        return control;
    }

    private RaftLog log() {
        try {
            return server.getDivision(GROUP).getRaftLog();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private AppendEntriesReplyProto send(AppendEntriesRequestProto request) throws Exception {
        return reply(answer(request));
    }

    private static AppendEntriesRequestProto.Builder message(long term) {
        return AppendEntriesRequestProto.newBuilder()
                .setServerRequest(header(OTHER_LEADER))
                .setLeaderTerm(term);
    }

    private static LogEntryProto entry(long term, long index) {
        return LogEntryProto.newBuilder()
                .setTerm(term)
                .setIndex(index)
                .setMetadataEntry(MetadataProto.newBuilder().setCommitIndex(0))
                .build();
    }

    /** A node that votes for every candidate, and answers nothing else. */
    private static byte[] vote(byte[] question) {
        if (question[0] != ControlRpc.VOTE) {
            throw new ControlFailure("takes no entries");
        }
        try {
            RequestVoteRequestProto asked =
                    RequestVoteRequestProto.parser().parseFrom(question, 1, question.length - 1);
            return RequestVoteReplyProto.newBuilder()
                    .setServerReply(RaftRpcReplyProto.newBuilder()
                            .setRequestorId(asked.getServerRequest().getRequestorId())
                            .setReplyId(asked.getServerRequest().getReplyId())
                            .setRaftGroupId(asked.getServerRequest().getRaftGroupId())
                            .setSuccess(true))
                    .setTerm(asked.getCandidateTerm())
                    .build()
                    .toByteArray();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
