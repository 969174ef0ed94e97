package dev.rcc.it;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaFieldAccess;
import com.tngtech.archunit.core.domain.JavaMethodCall;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.Location;
import com.tngtech.archunit.lang.ArchRule;
import com.tngtech.archunit.library.dependencies.SliceAssignment;
import com.tngtech.archunit.library.dependencies.SliceIdentifier;
import dev.rcc.core.protocol.Protocol;
import dev.rcc.core.testing.SourceTree;
import dev.rcc.core.worker.Worker;
import dev.rcc.protocols.locking.LockingProtocol;
import dev.rcc.protocols.optimistic.ReadSet;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The architecture's rules that the compiler does not check: which package may depend on which, and what must not be used where. */
class ArchitectureTest {
    private static final JavaClasses CLASSES =
            new ClassFileImporter().withImportOption(ArchitectureTest::isMain).importPackages("dev.rcc");

    private static boolean isMain(Location location) {
        return !location.contains("/test-classes/")
                && !location.contains("-tests.jar")
                && !location.contains("/tests/");
    }

    @Test
    void shouldSeeTheClassesOfEveryModuleThatHasSome() {
        Set<String> modules = CLASSES.stream()
                .map(c -> c.getPackageName().split("\\.", -1)[2])
                .collect(Collectors.toSet());
        assertThat(modules)
                .contains("core", "transport", "protocols", "client", "server")
                .doesNotContain("it");
        assertThat(CLASSES.contain(Protocol.class)).isTrue();
    }

    // ---- dependencies ----------------------------------------------------------------------------------------------

    @Test
    void shouldKeepCoreFreeOfEveryOtherModule() {
        mayOnlyKnow("core", "core");
    }

    @Test
    void shouldKeepNetworksAndProtocolsFromKnowingEachOther() {
        mayOnlyKnow("transport", "core", "transport");
        mayOnlyKnow("protocols", "core", "protocols");
    }

    @Test
    void shouldKeepTheClientFreeOfEveryOtherModule() {
        mayOnlyKnow("client", "client");
    }

    @Test
    void shouldKeepTheServerFreeOfWorkloadsAndDrivers() {
        mayOnlyKnow("server", "core", "transport", "protocols", "client", "server");
    }

    private static void mayOnlyKnow(String module, String... known) {
        DescribedPredicate<JavaClass> ours = resideInAnyPackage("dev.rcc..");
        for (String other : known) {
            ours = ours.and(DescribedPredicate.not(resideInAnyPackage("dev.rcc." + other + "..")));
        }
        check(noClasses()
                .that()
                .resideInAPackage("dev.rcc." + module + "..")
                .should()
                .dependOnClassesThat(ours.as("belong to a module other than " + List.of(known))));
    }

    // Each protocol and each network is a package that can be deleted, and nothing else breaks.
    @Test
    void shouldKeepProtocolsAndNetworksFromTheirSiblings() {
        DescribedPredicate<JavaClass> shared = resideInAnyPackage(
                "dev.rcc.protocols.common..",
                "dev.rcc.protocols.locking..",
                "dev.rcc.protocols.locks..",
                "dev.rcc.protocols.optimistic..");
        check(slices().matching("dev.rcc.protocols.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(alwaysTrue(), shared));
        check(slices().matching("dev.rcc.transport.(*)..")
                .should()
                .notDependOnEachOther()
                .ignoreDependency(
                        alwaysTrue(),
                        resideInAnyPackage(
                                "dev.rcc.transport.control",
                                "dev.rcc.transport.handshake",
                                "dev.rcc.transport.network",
                                "dev.rcc.transport.sockets")));
    }

    /**
     * Packages, root packages among them. The client's interface is in three, for its readers: transactions call procedures, procedures
     * get transactions, and the client's builder has meters. They count as one.
     */
    private static final SliceAssignment PACKAGES = new SliceAssignment() {
        private static final Set<String> CLIENT =
                Set.of("dev.rcc.client", "dev.rcc.client.procedure", "dev.rcc.client.micrometer");

        @Override
        public SliceIdentifier getIdentifierOf(JavaClass c) {
            return SliceIdentifier.of(CLIENT.contains(c.getPackageName()) ? "the client" : c.getPackageName());
        }

        @Override
        public String getDescription() {
            return "packages";
        }
    };

    @Test
    void shouldHaveNoCyclesBetweenPackages() {
        check(slices().assignedFrom(PACKAGES).should().beFreeOfCycles());
    }

    // The package that assembles clusters depends on the one that recovers them, and that on the one that
    // runs a node. A package depends on those before it in the list, and on none after it.
    @Test
    void shouldBuildTheServerInStoreys() {
        List<String> storeys = List.of("config", "locks", "node", "recovery", "simulation");
        for (int i = 0; i < storeys.size(); i++) {
            DescribedPredicate<JavaClass> above = resideInAnyPackage(
                    "dev.rcc.server",
                    "dev.rcc.server.admin..",
                    "dev.rcc.server.gateway..",
                    "dev.rcc.server.procedure..",
                    "dev.rcc.server.process..");
            for (String storey : storeys.subList(i + 1, storeys.size())) {
                above = above.or(resideInAnyPackage("dev.rcc.server." + storey + ".."));
            }
            check(noClasses()
                    .that()
                    .resideInAPackage("dev.rcc.server." + storeys.get(i) + "..")
                    .should()
                    .dependOnClassesThat(above.as("are of a storey above")));
        }
    }

    // ---- replication -----------------------------------------------------------------------------------------------

    // A way of replicating is one package, and one line in the list. The classes that name it are listed
    // here; none is to be added.
    @Test
    void shouldKeepTheLogRingsToThemselves() {
        assertThat(knowersOf("dev.rcc.protocols.rings")).containsExactly("dev.rcc.server.config.Replications");
    }

    // A server's configuration names the package only for the place of its logs.
    @Test
    void shouldKeepRaftGroupsToThemselves() {
        assertThat(knowersOf("dev.rcc.server.raft"))
                .containsExactly(
                        "dev.rcc.server.config.ClusterConfig",
                        "dev.rcc.server.config.Replications",
                        "dev.rcc.server.process.ServerConfig");
    }

    // The entries of a log are replayed by the classes that replicate, and by a node that finds them on its
    // disk. None is to be added.
    @Test
    void shouldLetOnlyReplicationAndRecoveryReadLogEntries() {
        Set<String> knowers = knowersOf("dev.rcc.core.log");
        knowers.removeIf(
                name -> name.startsWith("dev.rcc.protocols.rings.") || name.startsWith("dev.rcc.server.raft."));
        assertThat(knowers).containsExactly("dev.rcc.server.durability.RecoveredNode");
    }

    @Test
    void shouldKeepReplicationFreeOfProtocolsAndLogEntries() {
        check(noClasses()
                .that()
                .resideInAPackage("dev.rcc.core.replication")
                .should()
                .dependOnClassesThat(resideInAnyPackage("dev.rcc.core.log", "dev.rcc.core.protocol")));
    }

    /** The classes outside of a package that depend on one of its classes; a nested class counts as the class that it is in. */
    private static Set<String> knowersOf(String packageName) {
        return CLASSES.stream()
                .filter(c -> !c.getPackageName().equals(packageName))
                .filter(c -> c.getDirectDependenciesFromSelf().stream()
                        .anyMatch(d -> d.getTargetClass().getPackageName().equals(packageName)))
                .map(c -> c.getName().replaceFirst("\\$.*", ""))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    // ---- time, chance and waiting come from the worker -------------------------------------------------------------

    private static final DescribedPredicate<JavaClass> WORKER_CODE = resideInAnyPackage(
                    "dev.rcc.core..", "dev.rcc.protocols..")
            .and(DescribedPredicate.not(isPartOf("EventLoop", "LoopCoroutine", "SlicedThread", "VirtualThreads")))
            .as("core and protocol classes, but for the real worker,");

    private static DescribedPredicate<JavaClass> isPartOf(String... workers) {
        return new DescribedPredicate<>("part of " + List.of(workers)) {
            @Override
            public boolean test(JavaClass c) {
                String prefix = Worker.class.getPackageName() + ".";
                return List.of(workers).stream()
                        .anyMatch(worker -> c.getName().equals(prefix + worker)
                                || c.getName().startsWith(prefix + worker + "$"));
            }
        };
    }

    @Test
    void shouldTakeTimeAndChanceFromTheWorker() {
        check(noClasses()
                .that(WORKER_CODE)
                .should()
                .callMethodWhere(owner("java.lang.System", "nanoTime", "currentTimeMillis")));
        check(noClasses().that(WORKER_CODE).should().callMethodWhere(owner("java.lang.Math", "random")));
        check(noClasses()
                .that(WORKER_CODE)
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.time..")
                        .or(named(
                                "java.util.concurrent.ThreadLocalRandom",
                                "java.util.Random",
                                "java.util.SplittableRandom",
                                "java.util.Timer",
                                "java.util.Date"))));
    }

    @Test
    void shouldWaitOnlyThroughTheWorker() {
        check(noClasses()
                .that(WORKER_CODE)
                .should()
                .dependOnClassesThat(resideInAnyPackage("java.util.concurrent", "java.util.concurrent.locks")));
        check(noClasses()
                .that(WORKER_CODE)
                .should()
                .callMethodWhere(owner("java.lang.Object", "wait", "notify", "notifyAll")));
        check(noClasses().that(WORKER_CODE).should().dependOnClassesThat(named("java.lang.Thread")));
    }

    // The byte code of a synchronized block names no class, so this one is read in the sources.
    @Test
    void shouldNotSynchronize() throws IOException {
        assertThat(sourcesThatSynchronize("rcc-core")).containsExactly("EventLoop.java"); // once, at set-up
        assertThat(sourcesThatSynchronize("rcc-protocols")).isEmpty();
    }

    private static List<String> sourcesThatSynchronize(String module) throws IOException {
        Pattern code = Pattern.compile("^\\s*[^*/\\s].*\\bsynchronized\\b|^\\s*synchronized\\b", Pattern.MULTILINE);
        List<String> found = new ArrayList<>();
        for (Path file : SourceTree.mainSources(module)) {
            if (code.matcher(Files.readString(file)).find()) {
                found.add(file.getFileName().toString());
            }
        }
        return found;
    }

    // ---- unused parts of the platform -------------------------------------------------------------------------------

    @Test
    void shouldUseNoUnsafeAndNoInternalsOfTheJdk() {
        // A package that a module of the JDK exports to all modules, documented, is no internal of it,
        // whatever its name.
        DescribedPredicate<JavaClass> exported = resideInAnyPackage("com.sun.net.httpserver", "com.sun.management");
        check(noClasses()
                .should()
                .dependOnClassesThat(resideInAnyPackage("sun..", "jdk.internal..", "com.sun..", "org.agrona..")
                        .and(DescribedPredicate.not(exported))));
    }

    @Test
    void shouldReflectInOnePlaceOnly() {
        DescribedPredicate<JavaClass> ours = resideInAnyPackage(
                        "dev.rcc.core..", "dev.rcc.protocols..", "dev.rcc.transport..", "dev.rcc.server..")
                .and(DescribedPredicate.not(isPartOf("VirtualThreads")))
                .and(DescribedPredicate.not(named("dev.rcc.transport.shm.Posix") // native functions are method handles
                        .or(named("dev.rcc.core.memory.UntouchedMemory"))
                        .or(resideInAnyPackage("dev.rcc.transport.verbs.ibv..", "dev.rcc.transport.verbs.rdmacm.."))))
                .and(DescribedPredicate.not(named("dev.rcc.transport.verbs.disni.DisniInstaller")))
                .as("product classes but VirtualThreads, DisniInstaller and those that call native libraries");
        DescribedPredicate<JavaClass> reflection = resideInAnyPackage("java.lang.reflect..")
                .or(named(
                        "java.lang.invoke.MethodHandles",
                        "java.lang.invoke.MethodHandle",
                        "java.lang.invoke.MethodHandles$Lookup"));
        check(noClasses().that(ours).should().dependOnClassesThat(reflection));
        check(noClasses().that(ours).should().callMethodWhere(new DescribedPredicate<>("it looks into a class") {
            @Override
            public boolean test(JavaMethodCall call) {
                return call.getTargetOwner().isEquivalentTo(Class.class)
                        && call.getName().matches("forName|newInstance|get(Declared)?(Method|Field|Constructor)s?");
            }
        }));
    }

    @Test
    void shouldPrintOnlyOnTheCommandLine() {
        check(noClasses()
                .that()
                .resideOutsideOfPackage("dev.rcc.bench.cli..")
                .should()
                .accessFieldWhere(new DescribedPredicate<>("it is System.out or System.err") {
                    @Override
                    public boolean test(JavaFieldAccess access) {
                        return access.getTargetOwner().isEquivalentTo(System.class);
                    }
                }));
    }

    // ---- one shape for every protocol ------------------------------------------------------------------------------

    // The two-phase locking protocols share all but the layout and the parts that only one of them has.
    @Test
    void shouldGiveEveryProtocolTheSameFewClasses() {
        List<JavaClass> protocols = CLASSES.stream()
                .filter(c ->
                        c.isAssignableTo(Protocol.class) && !c.getModifiers().contains(JavaModifier.ABSTRACT))
                .filter(c -> c.getPackageName().startsWith("dev.rcc.protocols."))
                .toList();
        assertThat(protocols).isNotEmpty();
        for (JavaClass protocol : protocols) {
            String name = protocol.getSimpleName();
            assertThat(protocol.getPackageName()).isEqualTo("dev.rcc.protocols." + name.toLowerCase(Locale.ROOT));
            assertThat(CLASSES.contain(protocol.getName() + "Layout"))
                    .as(name + "Layout")
                    .isTrue();
            for (String part : List.of("Coordinator", "Stages", "Participant")) {
                String shared = LockingProtocol.class.getPackageName() + ".Locking" + part;
                boolean inherited = protocol.isAssignableTo(LockingProtocol.class) && CLASSES.contain(shared);
                assertThat(inherited || isTakenFromFamily(protocol, part) || CLASSES.contain(protocol.getName() + part))
                        .as(name + part)
                        .isTrue();
            }
        }
    }

    /** Whether a protocol makes such a part of those that optimistic protocols share, with nothing of its own in it. */
    private static boolean isTakenFromFamily(JavaClass protocol, String part) {
        return protocol.getConstructorCallsFromSelf().stream()
                .map(call -> call.getTargetOwner())
                .anyMatch(made -> made.getPackageName().equals(ReadSet.class.getPackageName())
                        && made.getSimpleName().endsWith(part));
    }

    private static DescribedPredicate<JavaClass> named(String... names) {
        return new DescribedPredicate<>("are " + List.of(names)) {
            @Override
            public boolean test(JavaClass c) {
                return List.of(names).contains(c.getName());
            }
        };
    }

    private static DescribedPredicate<JavaMethodCall> owner(String type, String... methods) {
        return new DescribedPredicate<>("it is one of " + type + "." + List.of(methods)) {
            @Override
            public boolean test(JavaMethodCall call) {
                return call.getTargetOwner().getName().equals(type)
                        && List.of(methods).contains(call.getName());
            }
        };
    }

    private static void check(ArchRule rule) {
        rule.allowEmptyShould(true).check(CLASSES);
    }
}
