package dev.rcc.transport.verbs.disni;

import com.ibm.disni.util.MemBuf;
import com.ibm.disni.verbs.RdmaProvider;
import java.lang.classfile.ClassBuilder;
import java.lang.classfile.ClassFile;
import java.lang.constant.ClassDesc;
import java.lang.constant.ConstantDescs;
import java.lang.constant.MethodTypeDesc;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.function.Consumer;

/**
 * Puts RCC's provider into the private static field where DiSNI looks for its own. Replaces two of DiSNI's classes that
 * would not work here, before they are used: {@code NativeAffinity}, whose initializer loads DiSNI's native library and so
 * kills every thread that processes completions, and {@code MemoryUtils}, which needs an internal interface of the JDK.
 *
 * <p>The only class of this package that uses reflection. Works if DiSNI is on the class path together with RCC.
 */
final class DisniInstaller {
    private static final String UTILITIES = "com.ibm.disni.util.";
    private static final ClassDesc BYTE_BUFFER = ClassDesc.of(ByteBuffer.class.getName());
    private static final ClassDesc REPLACEMENTS = ClassDesc.of(DisniReplacements.class.getName());

    private DisniInstaller() {}

    /**
     * Installs a provider.
     *
     * @throws IllegalStateException when DiSNI was used before
     */
    static void install(RdmaProvider provider) {
        try {
            MethodHandles.Lookup utilities = MethodHandles.privateLookupIn(MemBuf.class, MethodHandles.lookup());
            define(utilities, "NativeAffinity", builder -> {
                delegate(builder, "setAffinity", MethodTypeDesc.of(ConstantDescs.CD_void, ConstantDescs.CD_long));
                delegate(builder, "getAffinity", MethodTypeDesc.of(ConstantDescs.CD_long));
            });
            define(
                    utilities,
                    "MemoryUtils",
                    builder -> delegate(builder, "getAddress", MethodTypeDesc.of(ConstantDescs.CD_long, BYTE_BUFFER)));
            MethodHandles.privateLookupIn(RdmaProvider.class, MethodHandles.lookup())
                    .findStaticVarHandle(RdmaProvider.class, "provider", RdmaProvider.class)
                    .setVolatile(provider);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException(
                    "DiSNI 2.1 must lie on the class path beside RCC, as an ordinary jar; this one cannot be reached",
                    e);
        }
    }

    private static void define(MethodHandles.Lookup utilities, String name, Consumer<ClassBuilder> methods)
            throws IllegalAccessException {
        byte[] bytes = ClassFile.of()
                .build(
                        ClassDesc.of(UTILITIES + name),
                        builder -> methods.accept(builder.withFlags(ClassFile.ACC_PUBLIC | ClassFile.ACC_FINAL)));
        try {
            utilities.defineClass(bytes);
        } catch (LinkageError e) {
            throw new IllegalStateException(
                    "DiSNI was used before its provider was installed: call DisniProvider.install() first", e);
        }
    }

    /** Adds a static method that calls the method of the same name and type in {@link DisniReplacements}. */
    private static void delegate(ClassBuilder builder, String name, MethodTypeDesc type) {
        builder.withMethodBody(name, type, ClassFile.ACC_PUBLIC | ClassFile.ACC_STATIC, code -> {
            ClassDesc result = type.returnType();
            if (type.parameterCount() > 0) {
                if (type.parameterType(0).equals(ConstantDescs.CD_long)) {
                    code.lload(0);
                } else {
                    code.aload(0);
                }
            }
            code.invokestatic(REPLACEMENTS, name, type);
            if (result.equals(ConstantDescs.CD_void)) {
                code.return_();
            } else {
                code.lreturn();
            }
        });
    }
}
