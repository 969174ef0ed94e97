package dev.rcc.client;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/** The most bytes of a text (in UTF-8) or byte array in a record: {@link Codec#ofRecord} keeps room for them. */
@Retention(RetentionPolicy.RUNTIME)
@Target(ElementType.RECORD_COMPONENT)
public @interface MaxBytes {
    /** {@return the number of bytes, 1 to 65535} */
    int value();
}
