/**
 * MVCC: a transaction reads the state just before its timestamp, and writes at its timestamp or not at all (rcc, 4.4).
 *
 * <p>Entry: {@link dev.rcc.protocols.mvcc.Mvcc}. Stages, in the order of a hybrid code: fetch, lock, log, commit (update and
 * unlock), release. Locking and releasing are those of {@link dev.rcc.protocols.optimistic}. The coordinator's classes run on
 * its coroutine, {@link dev.rcc.protocols.mvcc.MvccParticipant} on the event loop of the worker that is called.
 *
 * <p>Corrections of the paper, and decisions where it leaves something open:
 * <ul>
 *   <li>As printed, a reader reads twice and raises {@code rts} afterwards. A writer that locks and checks in between commits
 *       below the reader's timestamp, unseen. Here {@code rts} is raised before the second read
 *       ({@link dev.rcc.protocols.mvcc.OneSidedReading}). The test that fails on the printed version is
 *       {@code MvccOnLocalWriteSkewTest}.
 *   <li>Two equal reads do not make a whole record: a transaction that installs publishes the version before the record changes, and
 *       the lock word shows when it is done ({@link dev.rcc.protocols.mvcc.MvccLayout}).
 *   <li>A record that is going to be written is read without raising {@code rts}; the read is confirmed in the end if the record was
 *       not written after all ({@link dev.rcc.protocols.mvcc.Confirmation}).
 *   <li>The current version lies where every protocol has it; only older versions are in slots of their own, and a reader reads only
 *       one of the records.
 *   <li>The existence of keys is read and written through the index's leaves ({@link dev.rcc.core.store.TableLayout}), which have a
 *       lock word and an {@code rts} as well, but no older versions: a reader that comes too late for them aborts.
 * </ul>
 */
package dev.rcc.protocols.mvcc;
