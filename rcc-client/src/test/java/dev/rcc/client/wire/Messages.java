package dev.rcc.client.wire;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;

/** Draws messages of every type, with the limits' values among them. */
final class Messages {
    private static final List<Message.Status> OUTCOMES = List.of(Message.Status.values());

    private static final List<Message.LockMode> LOCK_MODES = List.of(Message.LockMode.values());

    private static final List<Patch.Result> RESULTS = List.of(Patch.Result.values());

    private final Random random;
    private final List<Supplier<Message>> kinds;

    Messages(Random random) {
        this.random = random;
        this.kinds = everyKind();
    }

    private List<Supplier<Message>> everyKind() {
        return List.of(
                () -> {
                    int min = 1 + drawShort() % 0xFFFF;
                    return new Message.Hello(min, min + random.nextInt(0x10000 - min), text(), text());
                },
                Message.DescribeTables::new,
                () -> new Message.Begin(random.nextInt(), random.nextBoolean(), drawPositive(), drawTimestamp()),
                () -> new Message.Get(random.nextInt(), drawShort(), random.nextBoolean(), key()),
                () -> new Message.Put(random.nextInt(), drawShort(), key(), value()),
                () -> new Message.Insert(random.nextInt(), drawShort(), key(), value()),
                () -> new Message.PatchRecord(random.nextInt(), drawShort(), key(), new Patch(parts(0), parts(1))),
                () -> new Message.Delete(random.nextInt(), drawShort(), key()),
                () -> new Message.Scan(
                        random.nextInt(),
                        drawShort(),
                        random.nextBoolean(),
                        random.nextBoolean(),
                        bound(),
                        bound(),
                        drawPositive()),
                () -> new Message.Commit(random.nextInt(), id()),
                () -> new Message.Abort(random.nextInt()),
                () -> new Message.AskOutcome(id(), random.nextLong(), drawPositive() - 1),
                () -> new Message.Call(
                        random.nextBoolean(),
                        drawPositive(),
                        drawTimestamp(),
                        id(),
                        text(),
                        Bytes.wrap(bytes(size(Wire.DATA_BYTES_MAX)))),
                () -> new Message.DescribeUsage(drawShort()),
                () -> new Message.DescribeSessions(random.nextLong()),
                () -> new Message.EndSession(random.nextLong()),
                () -> new Message.Lock(
                        random.nextInt(), text(), text(), lockMode(), drawPositive() - 1, drawPositive() - 1),
                () -> new Message.Upgrade(random.nextInt(), drawPositive() - 1),
                () -> new Message.Unlock(random.nextInt()),
                () -> new Message.Fence(random.nextInt(), text(), text(), random.nextLong()),
                () -> new Message.DescribeLocks(text()),
                () -> new Message.Autocommit(
                        random.nextBoolean(), drawPositive(), drawTimestamp(), id(), operationAlone()),
                () -> new Message.Welcome(
                        Wire.WORKERS_VERSION + random.nextInt(100),
                        drawShort(),
                        random.nextLong(),
                        text(),
                        text(),
                        new Message.Limits(
                                Wire.HELLO_LENGTH_MAX + random.nextInt(Wire.LENGTH_MAX - Wire.HELLO_LENGTH_MAX + 1),
                                drawPositive(),
                                drawPositive(),
                                drawPositive(),
                                drawPositive(),
                                drawPositive(),
                                drawPositive()),
                        list(this::text),
                        1 + drawShort() % 0xFFFF),
                () -> new Message.Tables(
                        list(() -> new Message.TableInfo(
                                drawShort(),
                                text(),
                                random.nextBoolean(),
                                1 + random.nextInt(Key.MAX_BYTES),
                                1 + random.nextInt(Wire.RECORD_BYTES_MAX),
                                random.nextBoolean())),
                        false),
                () -> new Message.Tables(
                        list(() -> new Message.TableInfo(
                                drawShort(),
                                text(),
                                random.nextBoolean(),
                                1 + random.nextInt(Key.MAX_BYTES),
                                1 + random.nextInt(Wire.RECORD_BYTES_MAX),
                                random.nextBoolean(),
                                attributes())),
                        true),
                () -> new Message.Value(random.nextBoolean() ? value() : null),
                Message.Done::new,
                () -> new Message.Patched(RESULTS.get(random.nextInt(RESULTS.size()))),
                () -> new Message.Deleted(random.nextBoolean()),
                () -> new Message.Records(random.nextBoolean(), list(() -> new Message.KeyValue(key(), value()))),
                () -> new Message.Committed(drawTimestamp()),
                () -> new Message.Aborted(random.nextBoolean()),
                () -> new Message.OutcomeIs(
                        OUTCOMES.get(random.nextInt(OUTCOMES.size())),
                        drawTimestamp(),
                        random.nextBoolean() ? Bytes.wrap(bytes(size(Wire.DATA_BYTES_MAX))) : null),
                () -> new Message.Members(list(this::text)),
                () -> new Message.Placement(
                        drawTimestamp(),
                        random.ints(1 + size(Wire.PARTITIONS_MAX - 1), 0, 0x10000)
                                .boxed()
                                .toList()),
                () -> new Message.Zones(list(() -> new Message.ZonedGateway(text(), text()))),
                () -> new Message.Returned(drawTimestamp(), Bytes.wrap(bytes(size(Wire.DATA_BYTES_MAX)))),
                () -> new Message.Usage(drawTimestamp(), drawTimestamp()),
                () -> new Message.Usage(drawTimestamp(), drawTimestamp(), drawTimestamp(), drawTimestamp()),
                () -> new Message.Sessions(
                        random.nextBoolean(),
                        list(() -> new Message.Session(
                                random.nextLong(), text(), text(), text(), drawPositive() - 1, drawTimestamp()))),
                () -> new Message.Granted(drawTimestamp(), drawPositive() - 1),
                () -> new Message.LockLost(random.nextInt()),
                () -> new Message.Locks(
                        random.nextBoolean(),
                        list(() -> new Message.LockInfo(
                                text(),
                                lockMode(),
                                random.nextBoolean(),
                                drawTimestamp(),
                                drawPositive() - 1,
                                text(),
                                text()))),
                () -> new Message.Autocommitted(drawTimestamp(), operationReply()),
                this::failed);
    }

    private Message.Failed failed() {
        return new Message.Failed(
                1 + drawShort() % 0xFFFF, random.nextBoolean(), random.nextBoolean(), drawShort(), text());
    }

    private Message.Operation operationAlone() {
        return switch (random.nextInt(6)) {
            case 0 -> new Message.Get(0, drawShort(), random.nextBoolean(), key());
            case 1 -> new Message.Put(0, drawShort(), key(), value());
            case 2 -> new Message.Insert(0, drawShort(), key(), value());
            case 3 -> new Message.PatchRecord(0, drawShort(), key(), new Patch(parts(0), parts(1)));
            case 4 -> new Message.Delete(0, drawShort(), key());
            default -> new Message.Scan(0, drawShort(), random.nextBoolean(), false, bound(), bound(), drawPositive());
        };
    }

    private Message.OperationReply operationReply() {
        return switch (random.nextInt(6)) {
            case 0 -> new Message.Value(random.nextBoolean() ? value() : null);
            case 1 -> new Message.Done();
            case 2 -> new Message.Patched(RESULTS.get(random.nextInt(RESULTS.size())));
            case 3 -> new Message.Deleted(random.nextBoolean());
            case 4 -> new Message.Records(random.nextBoolean(), list(() -> new Message.KeyValue(key(), value())));
            default -> failed();
        };
    }

    private Message.LockMode lockMode() {
        return LOCK_MODES.get(random.nextInt(LOCK_MODES.size()));
    }

    int kinds() {
        return kinds.size();
    }

    Message draw(int kind) {
        return kinds.get(kind).get();
    }

    Frame drawFrame() {
        return new Frame(random.nextInt(), draw(random.nextInt(kinds.size())));
    }

    private List<TableAttribute> attributes() {
        List<TableAttribute> attributes = new ArrayList<>();
        if (random.nextBoolean()) {
            attributes.add(
                    switch (random.nextInt(3)) {
                        case 0 ->
                            new TableAttribute.Distributed(
                                    TableAttribute.Distributed.Rule.PREFIX, 1 + random.nextInt(Key.MAX_BYTES));
                        case 1 ->
                            new TableAttribute.Distributed(
                                    TableAttribute.Distributed.Rule.MODULO, 1 + random.nextInt(Long.BYTES));
                        default -> new TableAttribute.Distributed(TableAttribute.Distributed.Rule.REPLICATED, 0);
                    });
        }
        if (random.nextBoolean()) {
            attributes.add(new TableAttribute.Indexing(drawShort(), random.nextBoolean()));
        }
        if (random.nextBoolean()) {
            attributes.add(new TableAttribute.Other(3 + random.nextInt(100), Bytes.wrap(bytes(random.nextInt(20)))));
            attributes.add(new TableAttribute.Other(150 + random.nextInt(106), Bytes.wrap(bytes(0))));
        }
        return attributes;
    }

    private Bound bound() {
        return switch (random.nextInt(3)) {
            case 0 -> Bound.NONE;
            case 1 -> Bound.with(key());
            default -> Bound.without(key());
        };
    }

    Key key() {
        return random.nextBoolean() ? Key.of(random.nextLong()) : Key.of(bytes(1 + size(Key.MAX_BYTES - 1)));
    }

    private Bytes value() {
        return Bytes.wrap(bytes(1 + size(Wire.RECORD_BYTES_MAX - 1)));
    }

    private List<Patch.Part> parts(int least) {
        List<Patch.Part> parts = new ArrayList<>();
        int count = random.nextInt(50) == 0 ? Patch.PARTS_MAX : least + random.nextInt(4);
        for (int i = 0; i < count; i++) {
            int offset = size(Wire.RECORD_BYTES_MAX - 1);
            parts.add(new Patch.Part(offset, Bytes.wrap(bytes(1 + size(Wire.RECORD_BYTES_MAX - offset - 1)))));
        }
        return parts;
    }

    private CommitId id() {
        return new CommitId(random.nextLong(), random.nextLong());
    }

    private String text() {
        int[] codePoints = random.ints(size(500), 0, 0x20000)
                .filter(c -> c < Character.MIN_SURROGATE || c > Character.MAX_SURROGATE)
                .toArray();
        return new String(codePoints, 0, codePoints.length);
    }

    private <T> List<T> list(Supplier<T> element) {
        List<T> list = new ArrayList<>();
        for (int i = random.nextInt(5); i > 0; i--) {
            list.add(element.get());
        }
        return list;
    }

    private byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        random.nextBytes(bytes);
        return bytes;
    }

    /** Mostly small, now and then the largest. */
    private int size(int max) {
        return random.nextInt(500) == 0 ? max : random.nextInt(Math.min(max, 40) + 1);
    }

    private int drawShort() {
        return random.nextInt(8) == 0 ? 0xFFFF : random.nextInt(0x10000);
    }

    private int drawPositive() {
        return random.nextInt(8) == 0 ? Integer.MAX_VALUE : 1 + random.nextInt(1000);
    }

    private long drawTimestamp() {
        return random.nextLong() & Long.MAX_VALUE;
    }
}
