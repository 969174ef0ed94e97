package dev.rcc.server.procedure;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.rcc.client.Codec;
import dev.rcc.client.Transaction;
import dev.rcc.client.procedure.ProcedureType;
import dev.rcc.client.procedure.StoredProcedure;
import dev.rcc.server.procedure.bank.Transfer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ProceduresTest {
    /** A procedure with a name and nothing else. */
    private static class Named implements StoredProcedure<Void, Void> {
        private final ProcedureType<Void, Void> type;

        Named(String name) {
            type = ProcedureType.of(name, Codec.ofNothing(), Codec.ofNothing());
        }

        @Override
        public ProcedureType<Void, Void> type() {
            return type;
        }

        @Override
        public Void run(Transaction txn, Void argument) {
            return null;
        }
    }

    /** A procedure without a type. */
    public static final class Typeless implements StoredProcedure<Void, Void> {
        @Override
        public ProcedureType<Void, Void> type() {
            return null;
        }

        @Override
        public Void run(Transaction txn, Void argument) {
            return null;
        }
    }

    /** A procedure that uses a class of the server. */
    public static final class Curious implements StoredProcedure<Void, Void> {
        @Override
        public ProcedureType<Void, Void> type() {
            return ProcedureType.of(Procedures.class.getSimpleName(), Codec.ofNothing(), Codec.ofNothing());
        }

        @Override
        public Void run(Transaction txn, Void argument) {
            return null;
        }
    }

    @TempDir
    private Path directory;

    @Test
    void shouldLoadProceduresWithAClassLoaderOfTheirOwn() throws IOException {
        ProcedureJar.write(directory.resolve("bank.jar"), Transfer.class, Transfer.Order.class, Transfer.Receipt.class);
        Files.writeString(directory.resolve("README"), "no jar, and none of our business");
        try (Procedures procedures = Procedures.load(directory)) {
            assertThat(procedures.names()).containsExactly("transfer");
            StoredProcedure<?, ?> transfer = procedures.find("transfer");
            assertThat(transfer).isNotInstanceOf(Transfer.class);
            assertThat(transfer.getClass().getName()).isEqualTo(Transfer.class.getName());
            assertThat(procedures.find("nothing")).isNull();
            ClassLoader loader = transfer.getClass().getClassLoader();
            assertThatExceptionOfType(ClassNotFoundException.class)
                    .isThrownBy(() -> loader.loadClass(Procedures.class.getName()));
        }
    }

    // Goal: one start reports all errors, not one error a start.
    @Test
    void shouldListEverythingThatIsWrong() throws IOException {
        ProcedureJar.write(directory.resolve("1.jar"), Transfer.class, Transfer.Order.class, Transfer.Receipt.class);
        ProcedureJar.write(
                directory.resolve("2.jar"),
                Typeless.class.getName() + "\n" + Curious.class.getName() + "\nnot.There\n"
                        + Transfer.Order.class.getName(),
                Typeless.class,
                Curious.class);
        Files.writeString(directory.resolve("3.jar"), "no jar");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Procedures.load(directory))
                .withMessageContaining("procedures: " + directory)
                .withMessageContaining(Typeless.class.getName() + ": its type() is null")
                .withMessageContaining(Curious.class.getName() + ": its type() throws java.lang.NoClassDefFoundError")
                .withMessageContaining("not.There")
                .withMessageContaining("Transfer$Order not a subtype")
                .withMessageContaining("3.jar is no jar that can be read");
    }

    // Goal: a jar of an earlier version that was left in the directory does not decide which version runs.
    @Test
    void shouldRejectAProcedureThatTwoJarsHave() throws IOException {
        ProcedureJar.write(
                directory.resolve("bank-1.jar"), Transfer.class, Transfer.Order.class, Transfer.Receipt.class);
        ProcedureJar.write(
                directory.resolve("bank-2.jar"),
                "# the bank's\n" + Transfer.class.getName() + " # since 1\n",
                Transfer.class,
                Transfer.Order.class,
                Transfer.Receipt.class);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Procedures.load(directory))
                .withMessageContaining(
                        Transfer.class.getName() + " is in bank-1.jar and in bank-2.jar: remove one of the jars");
    }

    @Test
    void shouldRejectADirectoryWithoutProcedures() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Procedures.load(directory))
                .withMessageContaining("no jar has a META-INF/services/");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Procedures.load(directory.resolve("nowhere")))
                .withMessageContaining("name a directory of jars");
    }

    @Test
    void shouldGiveANameToOneOnly() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Procedures.of(List.of(new Named("a"), new Named("b"), new Named("a"))))
                .withMessageContaining("is called a, too");
        assertThat(Procedures.of(List.of(new Named("b"), new Named("a"))).names())
                .containsExactly("a", "b");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Named(""))
                .withMessage("a procedure's name has 1 to 100 bytes of UTF-8, got 0");
    }
}
