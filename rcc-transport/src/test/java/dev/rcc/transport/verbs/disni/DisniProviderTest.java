package dev.rcc.transport.verbs.disni;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import com.ibm.disni.util.MemoryUtils;
import com.ibm.disni.util.NativeAffinity;
import com.ibm.disni.verbs.RdmaEventChannel;
import com.ibm.disni.verbs.RdmaProvider;
import com.ibm.disni.verbs.RdmaVerbs;
import java.io.File;
import java.io.IOException;
import java.lang.foreign.MemorySegment;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/** Tests of the provider that need no device. */
class DisniProviderTest {
    @BeforeAll
    static void install() {
        DisniProvider.install();
    }

    @Test
    void shouldBeTheProviderOfDisni() throws IOException {
        RdmaProvider provider = RdmaProvider.provider();
        assertThat(provider).isInstanceOf(DisniProvider.class);
        assertThat(RdmaVerbs.getVersion()).isEqualTo(32);
        DisniProvider.install();
        assertThat(RdmaProvider.provider()).as("after a second call").isSameAs(provider);
    }

    // DiSNI's own class would load libdisni.
    @Test
    void shouldSetTheAffinityOfAThread() throws InterruptedException {
        List<Long> seen = new ArrayList<>();
        Thread thread = Thread.ofPlatform().start(() -> {
            long all = NativeAffinity.getAffinity();
            long first = Long.lowestOneBit(all);
            NativeAffinity.setAffinity(first);
            seen.add(first);
            seen.add(NativeAffinity.getAffinity());
            NativeAffinity.setAffinity(0); // changes nothing
            seen.add(NativeAffinity.getAffinity());
        });
        thread.join();
        assertThat(seen).hasSize(3).containsOnly(seen.getFirst()).doesNotContain(0L);
    }

    // DiSNI's threads would not survive an exception.
    @Test
    void shouldOnlyWarnOfAProcessorThatIsNotThere() {
        long before = NativeAffinity.getAffinity();
        assumeThat(before & 1L << 62).isZero();
        Logger logger = (Logger) LoggerFactory.getLogger(DisniReplacements.class);
        logger.setLevel(Level.OFF);
        NativeAffinity.setAffinity(1L << 62);
        logger.setLevel(null);
        assertThat(NativeAffinity.getAffinity()).isEqualTo(before);
    }

    // DiSNI's own method needs sun.nio.ch.
    @Test
    void shouldReturnTheAddressOfADirectBuffer() {
        ByteBuffer buffer = ByteBuffer.allocateDirect(64);
        long address = MemorySegment.ofBuffer(buffer).address();
        assertThat(MemoryUtils.getAddress(buffer)).isEqualTo(address);
        buffer.position(10).limit(20);
        assertThat(MemoryUtils.getAddress(buffer)).as("whatever its position").isEqualTo(address);
        assertThat(MemoryUtils.getAddress(buffer.slice())).isEqualTo(address + 10);
        assertThat(buffer.position()).isEqualTo(10);
        ByteBuffer heap = ByteBuffer.allocate(8);
        assertThatThrownBy(() -> MemoryUtils.getAddress(heap)).hasMessageContaining("allocateDirect");
    }

    @Test
    void shouldReportTheRemedyWhenThereIsNoConnectionManager() {
        assumeThat(Files.exists(Path.of("/dev/infiniband/rdma_cm"))).isFalse();
        assertThatThrownBy(RdmaEventChannel::createEventChannel)
                .isInstanceOf(IOException.class)
                .message()
                .matches(text -> text.contains("modprobe rdma_ucm") || text.contains("install rdma-core"));
    }

    // In separate class loaders, because this test's class loaders have used DiSNI already.
    @Test
    void shouldRejectInstallationAfterDisniWasUsed() throws Exception {
        try (URLClassLoader loader = new URLClassLoader(classPath(), ClassLoader.getPlatformClassLoader())) {
            Class.forName("com.ibm.disni.util.MemoryUtils", true, loader);
            Method install = loader.loadClass(DisniProvider.class.getName()).getMethod("install");
            assertThatThrownBy(() -> install.invoke(null))
                    .isInstanceOf(InvocationTargetException.class)
                    .cause()
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("call DisniProvider.install() first");
        }
    }

    private static URL[] classPath() throws IOException {
        List<URL> urls = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
            urls.add(Path.of(entry).toUri().toURL());
        }
        for (Class<?> type : List.of(DisniProvider.class, RdmaProvider.class, org.slf4j.Logger.class)) {
            urls.add(type.getProtectionDomain().getCodeSource().getLocation());
        }
        return urls.toArray(URL[]::new);
    }
}
