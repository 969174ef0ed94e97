#!/bin/sh
# Prints the home of a JDK 25, or else of a newer one. If RCC_JAVA_HOME is set, only it is considered; otherwise the
# candidates are searched in the order below. Versions are read from each JDK's `release` file: no JVM is started.
set -u

# The feature version of the JDK at $1, or nothing if there is none (a JRE has no javac).
jdk_version() {
    [ -x "$1/bin/javac" ] && [ -r "$1/release" ] || return 0
    sed -n 's/^JAVA_VERSION="\{0,1\}\([0-9][0-9]*\).*/\1/p' "$1/release" | head -n 1
}

# The JDK home that the `java` on the PATH belongs to, through any symbolic links.
home_of_java_on_path() {
    java=$(command -v java 2>/dev/null) || return 0
    java=$(readlink -f "$java" 2>/dev/null) || return 0
    dirname "$(dirname "$java")"
}

# One candidate a line: directories may have spaces in their names.
candidates() {
    [ -n "${JAVA_HOME:-}" ] && echo "$JAVA_HOME"
    home_of_java_on_path
    # The names on hosted builders: JAVA_HOME_25_X64, JAVA_HOME_25_arm64, JDK25_HOME.
    env | sed -n 's/^JAVA_HOME_[0-9][0-9A-Za-z_]*=//p; s/^JDK_\{0,1\}[0-9][0-9]*_HOME=//p'
    for home in /usr/lib/jvm/* /opt/* "${HOME:-}"/.sdkman/candidates/java/* "${HOME:-}"/.jdks/* \
        /Library/Java/JavaVirtualMachines/*/Contents/Home; do
        [ -d "$home" ] && echo "$home"
    done
}

install="Install a JDK 25 (on Debian and Ubuntu the package openjdk-25-jdk or temurin-25-jdk), or set RCC_JAVA_HOME or \
JAVA_HOME to one."

if [ -n "${RCC_JAVA_HOME:-}" ]; then
    version=$(jdk_version "$RCC_JAVA_HOME")
    if [ "${version:-0}" -ge 25 ]; then
        echo "$RCC_JAVA_HOME"
        exit 0
    fi
    echo "RCC needs a JDK 25 or newer, but RCC_JAVA_HOME=$RCC_JAVA_HOME is ${version:+JDK }${version:-no JDK}." \
        "$install" >&2
    exit 1
fi

candidates | {
    newer=
    while IFS= read -r home; do
        version=$(jdk_version "$home")
        if [ "${version:-0}" -eq 25 ]; then
            echo "$home"
            exit 0
        elif [ "${version:-0}" -gt 25 ] && [ -z "$newer" ]; then
            newer=$home
        fi
    done
    [ -n "$newer" ] && echo "$newer"
} && exit 0

echo "RCC needs a JDK 25 or newer, and none is in RCC_JAVA_HOME, JAVA_HOME, JAVA_HOME_25_*, on the PATH, in" \
    "/usr/lib/jvm, /opt, ~/.sdkman/candidates/java, ~/.jdks or /Library/Java/JavaVirtualMachines. $install" >&2
exit 1
