package dev.rcc.bench.cli;

import dev.rcc.core.cluster.Zones;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Examines a machine for the faults that first-time users meet. It reads files below a root, so that tests can present other
 * machines.
 */
final class Doctor {
    private static final int JAVA = 25;
    private static final long MEMLOCK_MIN = 1L << 30;
    private static final long SHM_MIN = 1L << 30;
    private static final long OPEN_FILES_MIN = 4_096;
    private static final String UNLIMITED = "unlimited";
    /** The ibv_gid type in sysfs that routers carry. */
    private static final String ROCE_V2 = "RoCE v2";

    private static final String ZERO_GID = "0000:0000:0000:0000:0000:0000:0000:0000";
    private static final Instant SANE = Instant.parse("2026-01-01T00:00:00Z");

    private final Path root;
    private final List<InetSocketAddress> addresses;

    /**
     * An examination of a machine.
     *
     * @param root the root of the machine's file system
     * @param addresses the addresses at which a server will listen
     */
    Doctor(Path root, List<InetSocketAddress> addresses) {
        this.root = root;
        this.addresses = List.copyOf(addresses);
    }

    /** Examines everything. */
    List<Finding> examine() {
        List<Finding> findings = new ArrayList<>();
        findings.add(java(Runtime.version().feature()));
        findings.add(memlock());
        findings.add(openFiles());
        findings.add(hugePages());
        findings.add(sharedMemory());
        findings.addAll(rdma());
        findings.addAll(ports());
        findings.add(clock());
        return findings;
    }

    static Finding java(int feature) {
        return feature >= JAVA
                ? Finding.ok("JDK", "Java " + Runtime.version())
                : Finding.problem("JDK", "Java " + feature, "install a JDK " + JAVA + " or later");
    }

    Finding memlock() {
        Optional<String> soft = limit("Max locked memory");
        if (soft.isEmpty()) {
            return Finding.note("memlock", "unknown", "see 'ulimit -l'; RDMA needs the registered memory to be locked");
        }
        boolean isEnough = soft.get().equals(UNLIMITED) || Long.parseLong(soft.get()) >= MEMLOCK_MIN;
        return isEnough
                ? Finding.ok("memlock", soft.get())
                : Finding.note(
                        "memlock",
                        soft.get() + " bytes, which only verbs minds",
                        "for verbs: 'ulimit -l unlimited', or 'memlock unlimited' in /etc/security/limits.d, or"
                                + " LimitMEMLOCK=infinity in the systemd unit");
    }

    Finding openFiles() {
        Optional<String> soft = limit("Max open files");
        if (soft.isEmpty()) {
            return Finding.note("open files", "unknown", "see 'ulimit -n'");
        }
        boolean isEnough = soft.get().equals(UNLIMITED) || Long.parseLong(soft.get()) >= OPEN_FILES_MIN;
        return isEnough
                ? Finding.ok("open files", soft.get())
                : Finding.problem(
                        "open files",
                        soft.get(),
                        "allow for " + OPEN_FILES_MIN + " or more: 'ulimit -n 65536', or LimitNOFILE=");
    }

    Finding hugePages() {
        Optional<String> mode = read("sys/kernel/mm/transparent_hugepage/enabled");
        if (mode.isPresent() && (mode.get().contains("[madvise]") || mode.get().contains("[always]"))) {
            return Finding.ok("huge pages", mode.get());
        }
        return Finding.note(
                "huge pages",
                mode.orElse("none"),
                "'echo madvise > /sys/kernel/mm/transparent_hugepage/enabled' makes large tables faster");
    }

    Finding sharedMemory() {
        Path shm = root.resolve("dev/shm");
        if (!Files.isDirectory(shm) || !Files.isWritable(shm)) {
            return Finding.note(
                    "/dev/shm",
                    "cannot be written, which only shm minds",
                    "for shm: mount a tmpfs there, or name another with shm.directory");
        }
        try {
            long free = Files.getFileStore(shm).getUsableSpace();
            return free >= SHM_MIN
                    ? Finding.ok("/dev/shm", mebibytes(free) + " free")
                    : Finding.note(
                            "/dev/shm",
                            mebibytes(free) + " free, which only shm minds",
                            "for shm: 'mount -o remount,size=8G /dev/shm', or docker's --shm-size");
        } catch (IOException e) {
            return Finding.problem("/dev/shm", e.toString(), "mount a tmpfs there");
        }
    }

    List<Finding> rdma() {
        Path devices = root.resolve("sys/class/infiniband");
        List<Path> names = list(devices);
        if (names.isEmpty()) {
            return List.of(Finding.note(
                    "RDMA devices",
                    "none",
                    "verbs needs one; './rcc lab' shows it without. With an RNIC: install rdma-core, load its driver"));
        }
        List<Finding> findings = new ArrayList<>();
        if (!hasVerbsLibrary()) {
            findings.add(
                    Finding.problem("libibverbs", "not there", "install rdma-core (libibverbs1, ibverbs-providers)"));
        }
        if (list(root.resolve("dev/infiniband")).stream()
                .noneMatch(device -> device.getFileName().toString().startsWith("uverbs"))) {
            findings.add(Finding.problem(
                    "/dev/infiniband",
                    "no uverbs device",
                    "'modprobe ib_uverbs', and in a container pass /dev/infiniband on"));
        }
        for (Path device : names) {
            for (Path port : list(device.resolve("ports"))) {
                findings.add(port(device, port));
            }
        }
        return findings;
    }

    /** Whether libibverbs is where distributions install libraries; those of Debian have a folder for each architecture. */
    private boolean hasVerbsLibrary() {
        Path libraries = root.resolve("usr/lib");
        Stream<Path> byArchitecture = list(libraries).stream()
                .filter(folder -> folder.getFileName().toString().contains("-linux-gnu"));
        return Stream.concat(Stream.of(root.resolve("usr/lib64"), libraries), byArchitecture)
                .anyMatch(folder -> Files.exists(folder.resolve("libibverbs.so.1")));
    }

    /** The state of a port according to sysfs. No file shows the scope of its atomics: only the device reports it. */
    private Finding port(Path device, Path port) {
        String name = "RDMA " + device.getFileName() + " port " + port.getFileName();
        String state = text(port.resolve("state")).orElse("unknown");
        if (!state.endsWith("ACTIVE")) {
            return Finding.problem(
                    name,
                    "state " + state,
                    "bring its link up: 'ip link set DEV up', check the cable, 'ibv_devinfo' shows more");
        }
        List<Path> gids = list(port.resolve("gids")).stream()
                .filter(gid -> !text(gid).orElse(ZERO_GID).equals(ZERO_GID))
                .toList();
        boolean isEthernet = text(port.resolve("link_layer")).orElse("").equals("Ethernet");
        boolean isRoutable = list(port.resolve("gid_attrs/types")).stream()
                .anyMatch(type -> text(type).orElse("").equals(ROCE_V2));
        if (gids.isEmpty() || (isEthernet && !isRoutable)) {
            return Finding.problem(
                    name,
                    "active, without a " + (isEthernet ? ROCE_V2 + " " : "") + "GID",
                    "give its interface an IP address");
        }
        return Finding.ok(
                name,
                "active, " + (isEthernet ? "RoCE" : "InfiniBand") + ", " + gids.size() + " GIDs, "
                        + text(port.resolve("rate")).orElse("unknown rate"));
    }

    private List<Finding> ports() {
        List<Finding> findings = new ArrayList<>();
        for (InetSocketAddress address : addresses) {
            findings.add(port(address));
        }
        return findings;
    }

    static Finding port(InetSocketAddress address) {
        String subject = "port " + address.getPort();
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(
                    address.isUnresolved()
                            ? new InetSocketAddress(InetAddress.getByName(address.getHostString()), address.getPort())
                            : address);
            return Finding.ok(subject, "free at " + address.getHostString());
        } catch (UnknownHostException e) {
            return Finding.problem(
                    subject,
                    "not available: no host is known by the name " + address.getHostString(),
                    "name one of this machine's addresses, or have its name resolved (/etc/hosts, DNS)");
        } catch (IOException e) {
            return Finding.problem(
                    subject,
                    "not available at " + address.getHostString() + ": " + e.getMessage(),
                    "choose another, or end what listens there ('ss -ltnp')");
        }
    }

    /** How a cluster that spans several data centres survives the loss of one: the other centres go on if they are a majority with all copies. */
    static Finding datacenters(Zones zones, int replicas) {
        String found = IntStream.range(0, zones.count())
                .mapToObj(zone -> zones.name(zone) + ": " + zones.nodes(zone))
                .collect(Collectors.joining(", ", "", ", " + replicas + " replicas"));
        String subject = "data centres";
        if (zones.count() > 1 && replicas == 1) {
            return Finding.note(
                    subject,
                    found + "; each has records that no other has",
                    "'replicas' of 2 or more keeps copies in several");
        }
        List<String> needed = IntStream.range(0, zones.count())
                .filter(zone -> 2 * zones.nodes(zone).size() >= zones.nodes())
                .mapToObj(zones::name)
                .toList();
        return needed.isEmpty()
                ? Finding.ok(subject, found)
                : Finding.note(
                        subject,
                        found + "; without " + String.join(" or ", needed)
                                + " there is no majority, and nothing is served",
                        "spread the nodes over three or more, none with half of the nodes");
    }

    private Finding clock() {
        Instant now = Instant.now();
        if (now.isBefore(SANE)) {
            return Finding.problem("clock", now.toString(), "set it; timestamps count from the cluster's birth");
        }
        Optional<String> source = read("sys/devices/system/clocksource/clocksource0/current_clocksource");
        long nanos = clockNanos();
        return nanos < Duration.ofNanos(500).toNanos()
                ? Finding.ok("clock", source.orElse("unknown source") + ", " + nanos + " ns a look")
                : Finding.note(
                        "clock",
                        source.orElse("unknown source") + ", " + nanos + " ns a look, which is slow",
                        "on a virtual machine ask for the tsc or kvm-clock source");
    }

    private static long clockNanos() {
        int looks = 10_000;
        long begin = System.nanoTime();
        long last = begin;
        for (int i = 0; i < looks; i++) {
            last = System.nanoTime();
        }
        return (last - begin) / looks;
    }

    /** This process's soft limit of this name. */
    private Optional<String> limit(String name) {
        return read("proc/self/limits")
                .flatMap(limits -> limits.lines()
                        .filter(line -> line.startsWith(name))
                        .map(line -> line.substring(name.length()).strip().split("\\s+", -1)[0])
                        .filter(value ->
                                value.equals(UNLIMITED) || number(value).isPresent())
                        .findFirst());
    }

    private static OptionalLong number(String text) {
        try {
            return OptionalLong.of(Long.parseLong(text));
        } catch (NumberFormatException e) {
            return OptionalLong.empty();
        }
    }

    private Optional<String> read(String file) {
        return text(root.resolve(file));
    }

    /** The file's text; empty where the file does not exist or cannot be read, as in sysfs for entries without a value. */
    private static Optional<String> text(Path file) {
        try {
            return Optional.of(Files.readString(file).strip());
        } catch (IOException e) {
            return Optional.empty();
        }
    }

    private static List<Path> list(Path directory) {
        if (!Files.isDirectory(directory)) {
            return List.of();
        }
        try (Stream<Path> entries = Files.list(directory)) {
            return entries.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String mebibytes(long bytes) {
        return String.format(Locale.ROOT, "%,d MiB", bytes >> 20);
    }
}
