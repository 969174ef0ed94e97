package dev.rcc.client.wire;

import io.netty.buffer.ByteBuf;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * Converts messages to bytes and back. Numbers are big-endian. A message has exactly one encoding, and no other bytes are accepted:
 * {@link #encode} writes every message that {@link #decode} accepts as the same bytes.
 */
public final class MessageCodec {
    private static final int HELLO = 0x01;
    private static final int DESCRIBE_TABLES = 0x02;
    private static final int BEGIN = 0x03;
    private static final int GET = 0x04;
    private static final int PUT = 0x05;
    private static final int INSERT = 0x06;
    private static final int DELETE = 0x07;
    private static final int SCAN = 0x08;
    private static final int SCAN_FOR_UPDATE = 1;
    private static final int SCAN_DESCENDING = 2;
    private static final int COMMIT = 0x09;
    private static final int ABORT = 0x0A;
    private static final int ASK_OUTCOME = 0x0B;
    private static final int CALL = 0x0D;
    private static final int DESCRIBE_USAGE = 0x0E;
    private static final int DESCRIBE_SESSIONS = 0x0F;
    private static final int END_SESSION = 0x10;
    private static final int PATCH = 0x11;
    private static final int LOCK = 0x12;
    private static final int UPGRADE = 0x13;
    private static final int UNLOCK = 0x14;
    private static final int FENCE = 0x15;
    private static final int DESCRIBE_LOCKS = 0x16;
    private static final int AUTOCOMMIT = 0x17;

    private static final int WELCOME = 0x81;
    private static final int TABLES = 0x82;
    private static final int VALUE = 0x84;
    private static final int DONE = 0x85;
    private static final int DELETED = 0x87;
    private static final int RECORDS = 0x88;
    private static final int COMMITTED = 0x89;
    private static final int ABORTED = 0x8A;
    private static final int OUTCOME_IS = 0x8B;
    private static final int MEMBERS = 0x8C;
    private static final int RETURNED = 0x8D;
    private static final int USAGE = 0x8E;
    private static final int SESSIONS = 0x8F;
    private static final int PLACEMENT = 0x90;
    private static final int ZONES = 0x96;
    private static final int PATCHED = 0x91;
    private static final int TABLES_WITH_ATTRIBUTES = 0x92;
    private static final int GRANTED = 0x93;
    private static final int LOCK_LOST = 0x94;
    private static final int LOCKS = 0x95;
    private static final int AUTOCOMMITTED = 0x97;
    private static final int FAILED = 0xFF;

    private static final int LONG_KEY = 1;
    private static final int BYTES_KEY = 2;
    private static final int NO_BOUND = 0;
    private static final int BOUND_WITH_KEY = 1;
    private static final int BOUND_WITHOUT_KEY = 2;

    /** Bytes of the smallest record in a {@link Message.Records}: a key of one byte and a value of one. */
    private static final int KEY_VALUE_BYTES_MIN = 1 + 2 + 1 + 4 + 1;

    /** Bytes of the smallest part of a record: an offset, a length and a byte. */
    private static final int PART_BYTES_MIN = 2 + 4 + 1;

    /** Bytes of an operation's transaction and table. */
    private static final int OPERATION_BYTES = 4 + 2;

    /** Bytes of a call without a name and an argument. */
    private static final int CALL_BYTES_MIN = 1 + 4 + 8 + 16 + 2 + 4;

    /** Bytes of an autocommit without its operation's body. */
    private static final int AUTOCOMMIT_BYTES_MIN = 1 + 4 + 8 + 16 + 1;

    private static final int TABLE_INFO_BYTES_MIN = 2 + 2 + 1 + 2 + 4 + 1;
    private static final int ATTRIBUTE_BYTES_MIN = 1 + 2;
    private static final int DISTRIBUTED_BYTES = 1 + 2;
    private static final int INDEXING_BYTES = Short.BYTES + Byte.BYTES;
    private static final int LOCK_INFO_BYTES_MIN = 2 + 1 + 1 + 8 + 4 + 2 + 2;
    private static final int SESSION_BYTES_MIN = 8 + 2 + 2 + 2 + 4 + 8;

    private MessageCodec() {}

    // ---- writing ---------------------------------------------------------------------------------------------------

    /** The byte of a message's type. */
    static int type(Message message) {
        return switch (message) {
            case Message.Hello m -> HELLO;
            case Message.DescribeTables m -> DESCRIBE_TABLES;
            case Message.Begin m -> BEGIN;
            case Message.Get m -> GET;
            case Message.Put m -> PUT;
            case Message.Insert m -> INSERT;
            case Message.PatchRecord m -> PATCH;
            case Message.Delete m -> DELETE;
            case Message.Scan m -> SCAN;
            case Message.Commit m -> COMMIT;
            case Message.Abort m -> ABORT;
            case Message.AskOutcome m -> ASK_OUTCOME;
            case Message.Call m -> CALL;
            case Message.DescribeUsage m -> DESCRIBE_USAGE;
            case Message.DescribeSessions m -> DESCRIBE_SESSIONS;
            case Message.EndSession m -> END_SESSION;
            case Message.Lock m -> LOCK;
            case Message.Upgrade m -> UPGRADE;
            case Message.Unlock m -> UNLOCK;
            case Message.Fence m -> FENCE;
            case Message.DescribeLocks m -> DESCRIBE_LOCKS;
            case Message.Autocommit m -> AUTOCOMMIT;
            case Message.Welcome m -> WELCOME;
            case Message.Tables m -> m.hasAttributes() ? TABLES_WITH_ATTRIBUTES : TABLES;
            case Message.Value m -> VALUE;
            case Message.Done m -> DONE;
            case Message.Patched m -> PATCHED;
            case Message.Deleted m -> DELETED;
            case Message.Records m -> RECORDS;
            case Message.Committed m -> COMMITTED;
            case Message.Aborted m -> ABORTED;
            case Message.OutcomeIs m -> OUTCOME_IS;
            case Message.Members m -> MEMBERS;
            case Message.Returned m -> RETURNED;
            case Message.Usage m -> USAGE;
            case Message.Sessions m -> SESSIONS;
            case Message.Placement m -> PLACEMENT;
            case Message.Zones m -> ZONES;
            case Message.Granted m -> GRANTED;
            case Message.LockLost m -> LOCK_LOST;
            case Message.Locks m -> LOCKS;
            case Message.Autocommitted m -> AUTOCOMMITTED;
            case Message.Failed m -> FAILED;
        };
    }

    /**
     * Appends a whole frame, its length included.
     *
     * @param frame the frame's content
     * @param out receives the bytes; it grows as needed
     */
    public static void encode(Frame frame, ByteBuf out) {
        int start = out.writerIndex();
        out.writeInt(0);
        out.writeByte(type(frame.message()));
        out.writeInt(frame.request());
        writeBody(frame.message(), out);
        out.setInt(start, out.writerIndex() - start - Wire.LENGTH_BYTES);
    }

    /**
     * {@return the length of the frame of a request, as the frame's first field has it} It is 0 for a request that fits any frame: only records,
     * patches and arguments make requests long.
     *
     * @param request the request
     */
    public static int length(Message.Request request) {
        return switch (request) {
            case Message.Put m -> operationLength(m.key()) + valueLength(m.value());
            case Message.Insert m -> operationLength(m.key()) + valueLength(m.value());
            case Message.PatchRecord m ->
                operationLength(m.key())
                        + partsLength(m.patch().expected())
                        + partsLength(m.patch().written());
            case Message.Call m ->
                Wire.MIN_LENGTH
                        + CALL_BYTES_MIN
                        + textLength(m.procedure())
                        + m.argument().length();
            case Message.Autocommit m -> {
                int length = length(m.operation());
                yield length == 0 ? 0 : AUTOCOMMIT_BYTES_MIN + length;
            }
            default -> 0;
        };
    }

    private static int operationLength(Key key) {
        int keyLength = key instanceof Key.OfBytes k ? Short.BYTES + k.value().length() : Long.BYTES;
        return Wire.MIN_LENGTH + OPERATION_BYTES + Byte.BYTES + keyLength;
    }

    private static int valueLength(Bytes value) {
        return Integer.BYTES + value.length();
    }

    private static int partsLength(List<Patch.Part> parts) {
        int length = Byte.BYTES;
        for (Patch.Part part : parts) {
            length += Short.BYTES + valueLength(part.bytes());
        }
        return length;
    }

    private static void writeBody(Message message, ByteBuf out) {
        switch (message) {
            case Message.Hello m -> {
                out.writeInt(Wire.MAGIC);
                out.writeShort(m.minVersion());
                out.writeShort(m.maxVersion());
                writeText(m.token(), out);
                writeText(m.client(), out);
            }
            case Message.Begin m -> {
                out.writeInt(m.txn());
                out.writeBoolean(m.readOnly());
                out.writeInt(m.timeoutMillis());
                out.writeLong(m.minCommitTs());
            }
            case Message.Get m -> {
                writeOperation(m, out);
                out.writeBoolean(m.forUpdate());
                writeKey(m.key(), out);
            }
            case Message.Put m -> {
                writeOperation(m, out);
                writeKey(m.key(), out);
                writeValue(m.value(), out);
            }
            case Message.Insert m -> {
                writeOperation(m, out);
                writeKey(m.key(), out);
                writeValue(m.value(), out);
            }
            case Message.PatchRecord m -> {
                writeOperation(m, out);
                writeKey(m.key(), out);
                writeParts(m.patch().expected(), out);
                writeParts(m.patch().written(), out);
            }
            case Message.Delete m -> {
                writeOperation(m, out);
                writeKey(m.key(), out);
            }
            case Message.Scan m -> {
                writeOperation(m, out);
                out.writeByte((m.forUpdate() ? SCAN_FOR_UPDATE : 0) | (m.descending() ? SCAN_DESCENDING : 0));
                writeBound(m.from(), out);
                writeBound(m.to(), out);
                out.writeInt(m.limit());
            }
            case Message.Commit m -> {
                out.writeInt(m.txn());
                writeCommitId(m.id(), out);
            }
            case Message.Abort m -> out.writeInt(m.txn());
            case Message.AskOutcome m -> {
                writeCommitId(m.id(), out);
                out.writeLong(m.incarnation());
                out.writeInt(m.ageMillis());
            }
            case Message.Call m -> {
                out.writeBoolean(m.readOnly());
                out.writeInt(m.timeoutMillis());
                out.writeLong(m.minCommitTs());
                writeCommitId(m.id(), out);
                writeText(m.procedure(), out);
                writeValue(m.argument(), out);
            }
            case Message.DescribeUsage m -> out.writeShort(m.table());
            case Message.DescribeSessions m -> out.writeLong(m.after());
            case Message.EndSession m -> out.writeLong(m.number());
            case Message.Lock m -> {
                out.writeInt(m.lock());
                writeText(m.namespace(), out);
                writeText(m.name(), out);
                out.writeByte(m.mode().code());
                out.writeInt(m.waitMillis());
                out.writeInt(m.leaseMillis());
            }
            case Message.Upgrade m -> {
                out.writeInt(m.lock());
                out.writeInt(m.waitMillis());
            }
            case Message.Unlock m -> out.writeInt(m.lock());
            case Message.Fence m -> {
                out.writeInt(m.txn());
                writeText(m.namespace(), out);
                writeText(m.name(), out);
                out.writeLong(m.token());
            }
            case Message.DescribeLocks m -> writeText(m.namespace(), out);
            case Message.Autocommit m -> {
                out.writeBoolean(m.readOnly());
                out.writeInt(m.timeoutMillis());
                out.writeLong(m.minCommitTs());
                writeCommitId(m.id(), out);
                writeNested(m.operation(), out);
            }
            case Message.Welcome m -> writeWelcome(m, out);
            case Message.Tables m -> {
                out.writeShort(m.tables().size());
                m.tables().forEach(table -> writeTable(table, m.hasAttributes(), out));
            }
            case Message.Value m -> {
                out.writeBoolean(m.value() != null);
                if (m.value() != null) {
                    writeValue(m.value(), out);
                }
            }
            case Message.Patched m -> out.writeByte(m.result().code());
            case Message.Deleted m -> out.writeBoolean(m.existed());
            case Message.Records m -> {
                out.writeBoolean(m.more());
                out.writeInt(m.records().size());
                for (Message.KeyValue each : m.records()) {
                    writeKey(each.key(), out);
                    writeValue(each.value(), out);
                }
            }
            case Message.Committed m -> out.writeLong(m.commitTs());
            case Message.Aborted m -> out.writeBoolean(m.readsHeld());
            case Message.OutcomeIs m -> {
                out.writeByte(m.status().code());
                out.writeLong(m.commitTs());
                out.writeBoolean(m.result() != null);
                if (m.result() != null) {
                    writeValue(m.result(), out);
                }
            }
            case Message.Members m -> writeMembers(m.members(), out);
            case Message.Returned m -> {
                out.writeLong(m.commitTs());
                writeValue(m.result(), out);
            }
            case Message.Usage m -> {
                out.writeLong(m.records());
                out.writeLong(m.capacity());
                if (m.overflow() != Message.Usage.UNKNOWN) {
                    out.writeLong(m.overflow());
                    out.writeLong(m.overflowCapacity());
                }
            }
            case Message.Sessions m -> {
                out.writeBoolean(m.more());
                out.writeInt(m.sessions().size());
                m.sessions().forEach(session -> writeSession(session, out));
            }
            case Message.Placement m -> {
                out.writeLong(m.epoch());
                out.writeShort(m.primaries().size());
                m.primaries().forEach(out::writeShort);
            }
            case Message.Zones m -> {
                out.writeShort(m.gateways().size());
                m.gateways().forEach(gateway -> {
                    writeText(gateway.address(), out);
                    writeText(gateway.zone(), out);
                });
            }
            case Message.Granted m -> {
                out.writeLong(m.token());
                out.writeInt(m.leaseLeftMillis());
            }
            case Message.LockLost m -> out.writeInt(m.lock());
            case Message.Locks m -> {
                out.writeBoolean(m.more());
                out.writeInt(m.locks().size());
                m.locks().forEach(lock -> writeLock(lock, out));
            }
            case Message.Autocommitted m -> {
                out.writeLong(m.commitTs());
                writeNested(m.answer(), out);
            }
            case Message.Failed m -> {
                out.writeShort(m.code());
                out.writeBoolean(m.transactionOver());
                out.writeBoolean(m.retryable());
                out.writeShort(m.reason());
                writeText(m.text(), out);
            }
            case Message.DescribeTables m -> {}
            case Message.Done m -> {}
        }
    }

    /** Writes a message that is a part of another one. */
    private static void writeNested(Message message, ByteBuf out) {
        out.writeByte(type(message));
        writeBody(message, out);
    }

    private static void writeOperation(Message.Operation operation, ByteBuf out) {
        out.writeInt(operation.txn());
        out.writeShort(operation.table());
    }

    private static void writeWelcome(Message.Welcome m, ByteBuf out) {
        out.writeShort(m.version());
        out.writeShort(m.node());
        out.writeLong(m.incarnation());
        writeText(m.cluster(), out);
        writeText(m.protocol(), out);
        Message.Limits limits = m.limits();
        out.writeInt(limits.frameLength());
        out.writeInt(limits.transactions());
        out.writeInt(limits.pipelined());
        out.writeInt(limits.scanRecords());
        out.writeInt(limits.transactionBytes());
        out.writeInt(limits.idleMillis());
        out.writeInt(limits.lifetimeMillis());
        writeMembers(m.members(), out);
        if (m.version() >= Wire.WORKERS_VERSION) {
            out.writeShort(m.workers());
        }
    }

    private static void writeMembers(List<String> members, ByteBuf out) {
        out.writeShort(members.size());
        members.forEach(member -> writeText(member, out));
    }

    private static void writeTable(Message.TableInfo table, boolean hasAttributes, ByteBuf out) {
        out.writeShort(table.id());
        writeText(table.name(), out);
        out.writeByte(table.hasLongKeys() ? LONG_KEY : BYTES_KEY);
        out.writeShort(table.keyBytes());
        out.writeInt(table.recordBytes());
        out.writeBoolean(table.ordered());
        if (hasAttributes) {
            out.writeByte(table.attributes().size());
            table.attributes().forEach(attribute -> writeAttribute(attribute, out));
        }
    }

    private static void writeAttribute(TableAttribute attribute, ByteBuf out) {
        out.writeByte(attribute.kind());
        switch (attribute) {
            case TableAttribute.Distributed a -> {
                out.writeShort(DISTRIBUTED_BYTES);
                out.writeByte(a.rule().code());
                out.writeShort(a.prefixBytes());
            }
            case TableAttribute.Indexing a -> {
                out.writeShort(INDEXING_BYTES);
                out.writeShort(a.table());
                out.writeBoolean(a.unique());
            }
            case TableAttribute.Other a -> {
                out.writeShort(a.value().length());
                out.writeBytes(a.value().unsafeArray());
            }
        }
    }

    private static void writeSession(Message.Session session, ByteBuf out) {
        out.writeLong(session.number());
        writeText(session.user(), out);
        writeText(session.client(), out);
        writeText(session.address(), out);
        out.writeInt(session.transactions());
        out.writeLong(session.connectedMillis());
    }

    /**
     * {@return the bytes that a lock's description takes in a message}
     *
     * @param lock the description
     */
    public static int lockBytes(Message.LockInfo lock) {
        return LOCK_INFO_BYTES_MIN + textLength(lock.name()) + textLength(lock.user()) + textLength(lock.client());
    }

    private static int textLength(String text) {
        return textLength(text.getBytes(StandardCharsets.UTF_8));
    }

    private static void writeLock(Message.LockInfo lock, ByteBuf out) {
        writeText(lock.name(), out);
        out.writeByte(lock.mode().code());
        out.writeBoolean(lock.held());
        out.writeLong(lock.token());
        out.writeInt(lock.leaseLeftMillis());
        writeText(lock.user(), out);
        writeText(lock.client(), out);
    }

    private static void writeKey(Key key, ByteBuf out) {
        switch (key) {
            case Key.OfLong k -> {
                out.writeByte(LONG_KEY);
                out.writeLong(k.value());
            }
            case Key.OfBytes k -> {
                out.writeByte(BYTES_KEY);
                out.writeShort(k.value().length());
                out.writeBytes(k.value().unsafeArray());
            }
        }
    }

    private static void writeBound(Bound bound, ByteBuf out) {
        out.writeByte(bound.key() == null ? NO_BOUND : bound.isInclusive() ? BOUND_WITH_KEY : BOUND_WITHOUT_KEY);
        if (bound.key() != null) {
            writeKey(bound.key(), out);
        }
    }

    private static void writeValue(Bytes value, ByteBuf out) {
        out.writeInt(value.length());
        out.writeBytes(value.unsafeArray());
    }

    private static void writeParts(List<Patch.Part> parts, ByteBuf out) {
        out.writeByte(parts.size());
        for (Patch.Part part : parts) {
            out.writeShort(part.offset());
            writeValue(part.bytes(), out);
        }
    }

    private static void writeCommitId(CommitId id, ByteBuf out) {
        out.writeLong(id.high());
        out.writeLong(id.low());
    }

    /**
     * Writes a text. Texts are for people: a text that is too long or that UTF-8 cannot express is repaired rather than refused. Tokens and names
     * that decide something are checked before ({@link Utf8}).
     */
    private static void writeText(String text, ByteBuf out) {
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        int length = textLength(bytes);
        out.writeShort(length);
        out.writeBytes(bytes, 0, length);
    }

    /** The bytes of a text that are written. */
    private static int textLength(byte[] bytes) {
        int length = Math.min(bytes.length, Wire.TEXT_BYTES_MAX);
        while (length < bytes.length && (bytes[length] & 0xC0) == 0x80) { // never within a character
            length--;
        }
        return length;
    }

    // ---- reading ---------------------------------------------------------------------------------------------------

    /**
     * Reads a frame's type, request and body.
     *
     * @param in exactly the bytes after the frame's length; read to their end
     * @return the frame's content
     * @throws MalformedFrame when the bytes are not a message
     */
    public static Frame decode(ByteBuf in) {
        need(in, Wire.MIN_LENGTH);
        int type = in.readUnsignedByte();
        int request = in.readInt();
        Message message;
        try {
            message = readBody(type, in);
        } catch (IllegalArgumentException e) {
            throw new MalformedFrame("type " + type + ": " + e.getMessage());
        }
        if (in.isReadable()) {
            throw new MalformedFrame("type " + type + " has " + in.readableBytes() + " bytes after its end");
        }
        return new Frame(request, message);
    }

    private static Message readBody(int type, ByteBuf in) {
        return switch (type) {
            case HELLO -> readHello(in);
            case DESCRIBE_TABLES -> new Message.DescribeTables();
            case BEGIN -> new Message.Begin(readInt(in), readBoolean(in), readInt(in), readLong(in));
            case GET -> new Message.Get(readInt(in), readShort(in), readBoolean(in), readKey(in));
            case PUT -> new Message.Put(readInt(in), readShort(in), readKey(in), readValue(in));
            case INSERT -> new Message.Insert(readInt(in), readShort(in), readKey(in), readValue(in));
            case PATCH ->
                new Message.PatchRecord(
                        readInt(in), readShort(in), readKey(in), new Patch(readParts(in), readParts(in)));
            case DELETE -> new Message.Delete(readInt(in), readShort(in), readKey(in));
            case SCAN -> readScan(in);
            case COMMIT -> new Message.Commit(readInt(in), readCommitId(in));
            case ABORT -> new Message.Abort(readInt(in));
            case ASK_OUTCOME -> new Message.AskOutcome(readCommitId(in), readLong(in), readInt(in));
            case CALL ->
                new Message.Call(
                        readBoolean(in), readInt(in), readLong(in), readCommitId(in), readText(in), readData(in));
            case DESCRIBE_USAGE -> new Message.DescribeUsage(readShort(in));
            case DESCRIBE_SESSIONS -> new Message.DescribeSessions(readLong(in));
            case END_SESSION -> new Message.EndSession(readLong(in));
            case LOCK ->
                new Message.Lock(readInt(in), readText(in), readText(in), readLockMode(in), readInt(in), readInt(in));
            case UPGRADE -> new Message.Upgrade(readInt(in), readInt(in));
            case UNLOCK -> new Message.Unlock(readInt(in));
            case FENCE -> new Message.Fence(readInt(in), readText(in), readText(in), readLong(in));
            case DESCRIBE_LOCKS -> new Message.DescribeLocks(readText(in));
            case AUTOCOMMIT ->
                new Message.Autocommit(readBoolean(in), readInt(in), readLong(in), readCommitId(in), readOperation(in));
            case WELCOME -> readWelcome(in);
            case TABLES -> readTables(in, false);
            case TABLES_WITH_ATTRIBUTES -> readTables(in, true);
            case VALUE -> new Message.Value(readBoolean(in) ? readValue(in) : null);
            case DONE -> new Message.Done();
            case PATCHED -> new Message.Patched(readPatchResult(in));
            case DELETED -> new Message.Deleted(readBoolean(in));
            case RECORDS -> readRecords(in);
            case COMMITTED -> new Message.Committed(readLong(in));
            case ABORTED -> new Message.Aborted(readBoolean(in));
            case OUTCOME_IS ->
                new Message.OutcomeIs(readStatus(in), readLong(in), readBoolean(in) ? readData(in) : null);
            case MEMBERS -> new Message.Members(readMembers(in));
            case RETURNED -> new Message.Returned(readLong(in), readData(in));
            case USAGE -> readUsage(in);
            case SESSIONS -> readSessions(in);
            case PLACEMENT -> readPlacement(in);
            case ZONES -> readZones(in);
            case GRANTED -> new Message.Granted(readLong(in), readInt(in));
            case LOCK_LOST -> new Message.LockLost(readInt(in));
            case LOCKS -> readLocks(in);
            case AUTOCOMMITTED -> new Message.Autocommitted(readLong(in), readOperationReply(in));
            case FAILED ->
                new Message.Failed(readShort(in), readBoolean(in), readBoolean(in), readShort(in), readText(in));
            default -> throw new MalformedFrame("there is no message of type " + type);
        };
    }

    /** Reads the operation that is a part of another message. */
    private static Message.Operation readOperation(ByteBuf in) {
        int type = readByte(in);
        return switch (type) {
            case GET, PUT, INSERT, PATCH, DELETE, SCAN -> (Message.Operation) readBody(type, in);
            default -> throw new MalformedFrame("there is no operation of type " + type);
        };
    }

    /** Reads the answer to an operation that is a part of another message. */
    private static Message.OperationReply readOperationReply(ByteBuf in) {
        int type = readByte(in);
        return switch (type) {
            case VALUE, DONE, PATCHED, DELETED, RECORDS, FAILED -> (Message.OperationReply) readBody(type, in);
            default -> throw new MalformedFrame("there is no answer of type " + type + " to an operation");
        };
    }

    private static Message readUsage(ByteBuf in) {
        long records = readLong(in);
        long capacity = readLong(in);
        if (!in.isReadable()) {
            return new Message.Usage(records, capacity);
        }
        long overflow = readLong(in);
        if (overflow < 0) {
            throw new MalformedFrame("a number of records in overflow is not negative, got " + overflow);
        }
        return new Message.Usage(records, capacity, overflow, readLong(in));
    }

    private static Message readHello(ByteBuf in) {
        int magic = readInt(in);
        if (magic != Wire.MAGIC) {
            throw new MalformedFrame(
                    "a hello begins with " + Integer.toHexString(Wire.MAGIC) + ", got " + Integer.toHexString(magic));
        }
        return new Message.Hello(readShort(in), readShort(in), readText(in), readText(in));
    }

    private static Message readWelcome(ByteBuf in) {
        int version = readShort(in);
        int node = readShort(in);
        long incarnation = readLong(in);
        String cluster = readText(in);
        String protocol = readText(in);
        Message.Limits limits = new Message.Limits(
                readInt(in), readInt(in), readInt(in), readInt(in), readInt(in), readInt(in), readInt(in));
        List<String> members = readMembers(in);
        int workers = version >= Wire.WORKERS_VERSION ? readShort(in) : 1;
        return new Message.Welcome(version, node, incarnation, cluster, protocol, limits, members, workers);
    }

    private static List<String> readMembers(ByteBuf in) {
        int count = readCount(in, readShort(in), Short.BYTES);
        List<String> members = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            members.add(readText(in));
        }
        return members;
    }

    private static Message readTables(ByteBuf in, boolean hasAttributes) {
        int count = readCount(in, readShort(in), TABLE_INFO_BYTES_MIN);
        List<Message.TableInfo> tables = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            tables.add(new Message.TableInfo(
                    readShort(in),
                    readText(in),
                    readKeyKind(in),
                    readShort(in),
                    readInt(in),
                    readBoolean(in),
                    hasAttributes ? readAttributes(in) : List.of()));
        }
        return new Message.Tables(tables, hasAttributes);
    }

    private static List<TableAttribute> readAttributes(ByteBuf in) {
        int count = readCount(in, readByte(in), ATTRIBUTE_BYTES_MIN);
        List<TableAttribute> attributes = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int kind = readByte(in);
            int length = readShort(in);
            attributes.add(
                    switch (kind) {
                        case TableAttribute.Distributed.KIND -> readDistributed(in, length);
                        case TableAttribute.Indexing.KIND -> readIndexing(in, length);
                        default -> new TableAttribute.Other(kind, readBytes(in, length, Wire.ATTRIBUTE_BYTES_MAX));
                    });
        }
        return attributes;
    }

    private static TableAttribute readIndexing(ByteBuf in, int length) {
        if (length != INDEXING_BYTES) {
            throw new MalformedFrame("what a table is an index of takes " + INDEXING_BYTES + " bytes, got " + length);
        }
        return new TableAttribute.Indexing(readShort(in), readBoolean(in));
    }

    private static TableAttribute readDistributed(ByteBuf in, int length) {
        if (length != DISTRIBUTED_BYTES) {
            throw new MalformedFrame("how a table is distributed takes " + DISTRIBUTED_BYTES + " bytes, got " + length);
        }
        int code = readByte(in);
        for (TableAttribute.Distributed.Rule rule : TableAttribute.Distributed.Rule.values()) {
            if (rule.code() == code) {
                return new TableAttribute.Distributed(rule, readShort(in));
            }
        }
        throw new MalformedFrame("there is no rule " + code + " of distribution");
    }

    private static Message readRecords(ByteBuf in) {
        boolean more = readBoolean(in);
        int count = readCount(in, readInt(in), KEY_VALUE_BYTES_MIN);
        List<Message.KeyValue> records = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            records.add(new Message.KeyValue(readKey(in), readValue(in)));
        }
        return new Message.Records(more, records);
    }

    private static Message readSessions(ByteBuf in) {
        boolean more = readBoolean(in);
        int count = readCount(in, readInt(in), SESSION_BYTES_MIN);
        List<Message.Session> sessions = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            sessions.add(new Message.Session(
                    readLong(in), readText(in), readText(in), readText(in), readInt(in), readLong(in)));
        }
        return new Message.Sessions(more, sessions);
    }

    private static Message readLocks(ByteBuf in) {
        boolean more = readBoolean(in);
        int count = readCount(in, readInt(in), LOCK_INFO_BYTES_MIN);
        List<Message.LockInfo> locks = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            locks.add(new Message.LockInfo(
                    readText(in),
                    readLockMode(in),
                    readBoolean(in),
                    readLong(in),
                    readInt(in),
                    readText(in),
                    readText(in)));
        }
        return new Message.Locks(more, locks);
    }

    private static Message.LockMode readLockMode(ByteBuf in) {
        int code = readByte(in);
        for (Message.LockMode mode : Message.LockMode.values()) {
            if (mode.code() == code) {
                return mode;
            }
        }
        throw new MalformedFrame("there is no mode " + code + " of a lock");
    }

    private static Message readZones(ByteBuf in) {
        int count = readCount(in, readShort(in), 2 * Short.BYTES);
        List<Message.ZonedGateway> gateways = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            gateways.add(new Message.ZonedGateway(readText(in), readText(in)));
        }
        return new Message.Zones(gateways);
    }

    private static Message readPlacement(ByteBuf in) {
        long epoch = readLong(in);
        int count = readCount(in, readShort(in), Short.BYTES);
        List<Integer> primaries = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            primaries.add(readShort(in));
        }
        return new Message.Placement(epoch, primaries);
    }

    private static Message.Status readStatus(ByteBuf in) {
        int code = readByte(in);
        for (Message.Status status : Message.Status.values()) {
            if (status.code() == code) {
                return status;
            }
        }
        throw new MalformedFrame("there is no outcome " + code);
    }

    private static List<Patch.Part> readParts(ByteBuf in) {
        int count = readCount(in, readByte(in), PART_BYTES_MIN);
        List<Patch.Part> parts = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            parts.add(new Patch.Part(readShort(in), readValue(in)));
        }
        return parts;
    }

    private static Patch.Result readPatchResult(ByteBuf in) {
        int code = readByte(in);
        for (Patch.Result result : Patch.Result.values()) {
            if (result.code() == code) {
                return result;
            }
        }
        throw new MalformedFrame("there is no result " + code + " of a patch");
    }

    /** Accepts a count only if that many entries can be in the remaining bytes. */
    private static int readCount(ByteBuf in, int count, int bytesMin) {
        if (count < 0 || count > in.readableBytes() / bytesMin) {
            throw new MalformedFrame(
                    "a count of " + Integer.toUnsignedString(count) + " in " + in.readableBytes() + " bytes");
        }
        return count;
    }

    private static Key readKey(ByteBuf in) {
        return readKeyKind(in)
                ? new Key.OfLong(readLong(in))
                : new Key.OfBytes(readBytes(in, readShort(in), Key.MAX_BYTES));
    }

    private static Bound readBound(ByteBuf in) {
        int kind = readByte(in);
        return switch (kind) {
            case NO_BOUND -> Bound.NONE;
            case BOUND_WITH_KEY -> Bound.with(readKey(in));
            case BOUND_WITHOUT_KEY -> Bound.without(readKey(in));
            default -> throw new MalformedFrame("there is no bound of kind " + kind);
        };
    }

    private static boolean readKeyKind(ByteBuf in) {
        int kind = readByte(in);
        if (kind != LONG_KEY && kind != BYTES_KEY) {
            throw new MalformedFrame("there is no kind of key " + kind);
        }
        return kind == LONG_KEY;
    }

    private static Bytes readValue(ByteBuf in) {
        return readBytes(in, readInt(in), Wire.RECORD_BYTES_MAX);
    }

    private static Bytes readData(ByteBuf in) {
        return readBytes(in, readInt(in), Wire.DATA_BYTES_MAX);
    }

    private static Bytes readBytes(ByteBuf in, int length, int max) {
        if (length < 0 || length > max) {
            throw new MalformedFrame(
                    "a length of " + Integer.toUnsignedString(length) + " where at most " + max + " is allowed");
        }
        need(in, length);
        byte[] bytes = new byte[length];
        in.readBytes(bytes);
        return Bytes.wrap(bytes);
    }

    private static String readText(ByteBuf in) {
        Bytes bytes = readBytes(in, readShort(in), Wire.TEXT_BYTES_MAX);
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .onMalformedInput(CodingErrorAction.REPORT)
                    .onUnmappableCharacter(CodingErrorAction.REPORT)
                    .decode(ByteBuffer.wrap(bytes.unsafeArray()))
                    .toString();
        } catch (CharacterCodingException e) {
            throw new MalformedFrame("a text that is not UTF-8");
        }
    }

    private static CommitId readCommitId(ByteBuf in) {
        return new CommitId(readLong(in), readLong(in));
    }

    private static Message.Scan readScan(ByteBuf in) {
        int txn = readInt(in);
        int table = readShort(in);
        int flags = readByte(in);
        if ((flags & ~(SCAN_FOR_UPDATE | SCAN_DESCENDING)) != 0) {
            throw new MalformedFrame("a scan with the flags " + flags);
        }
        boolean forUpdate = (flags & SCAN_FOR_UPDATE) != 0;
        boolean descending = (flags & SCAN_DESCENDING) != 0;
        return new Message.Scan(txn, table, forUpdate, descending, readBound(in), readBound(in), readInt(in));
    }

    private static boolean readBoolean(ByteBuf in) {
        int value = readByte(in);
        if (value > 1) {
            throw new MalformedFrame("a yes or no of " + value);
        }
        return value == 1;
    }

    private static int readByte(ByteBuf in) {
        need(in, Byte.BYTES);
        return in.readUnsignedByte();
    }

    private static int readShort(ByteBuf in) {
        need(in, Short.BYTES);
        return in.readUnsignedShort();
    }

    private static int readInt(ByteBuf in) {
        need(in, Integer.BYTES);
        return in.readInt();
    }

    private static long readLong(ByteBuf in) {
        need(in, Long.BYTES);
        return in.readLong();
    }

    private static void need(ByteBuf in, int bytes) {
        if (in.readableBytes() < bytes) {
            throw new MalformedFrame("the frame ends " + (bytes - in.readableBytes()) + " bytes too early");
        }
    }
}
