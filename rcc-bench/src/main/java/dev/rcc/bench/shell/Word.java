package dev.rcc.bench.shell;

import java.util.ArrayList;
import java.util.List;

/**
 * A word of a command.
 *
 * @param text the content, without quotes and escapes
 * @param quoted whether the word was in quotes
 */
record Word(String text, boolean quoted) {
    private static final char QUOTE = '"';
    private static final char ESCAPE = '\\';

    boolean is(String bare) {
        return !quoted && text.equals(bare);
    }

    /** A form in which the word may be written. */
    @Override
    public String toString() {
        return quoted ? Notation.quote(text) : "'" + text + "'";
    }

    /**
     * The commands of a line, each a list of its words. Commands are separated by {@code ;}. The text after a {@code #} at the beginning
     * of a word is a comment.
     *
     * @throws BadCommand when the line is no list of words
     */
    static List<List<Word>> split(String line) {
        List<List<Word>> commands = new ArrayList<>();
        List<Word> command = new ArrayList<>();
        int i = 0;
        while (i < line.length()) {
            char c = line.charAt(i);
            if (Character.isWhitespace(c)) {
                i++;
            } else if (c == '#') {
                break;
            } else if (c == ';') {
                commands.add(command);
                command = new ArrayList<>();
                i++;
            } else if (c == QUOTE) {
                int end = endOfQuoted(line, i);
                command.add(checked(unescape(line, i + 1, end), true));
                i = end + 1;
                if (i < line.length() && !Character.isWhitespace(line.charAt(i)) && line.charAt(i) != ';') {
                    throw BadCommand.given(
                            "after the text that ends in column " + i, "'" + line.charAt(i) + "'", "a space or ;");
                }
            } else {
                int end = i;
                while (end < line.length()
                        && !Character.isWhitespace(line.charAt(end))
                        && line.charAt(end) != ';'
                        && line.charAt(end) != QUOTE) {
                    end++;
                }
                command.add(checked(line.substring(i, end), false));
                i = end;
            }
        }
        commands.add(command);
        commands.removeIf(List::isEmpty);
        return commands;
    }

    /** Refuses a word whose bytes are lost: it would name another record. */
    private static Word checked(String text, boolean quoted) {
        if (text.indexOf(Notation.NOT_UTF8) >= 0) {
            throw BadCommand.given("a word", "'" + text + "'", "characters in UTF-8, or 0x... for any bytes");
        }
        return new Word(text, quoted);
    }

    private static int endOfQuoted(String line, int begin) {
        for (int i = begin + 1; i < line.length(); i++) {
            if (line.charAt(i) == ESCAPE) {
                i++;
            } else if (line.charAt(i) == QUOTE) {
                return i;
            }
        }
        throw new BadCommand("the text that begins in column " + (begin + 1) + " does not end: a \" is missing");
    }

    private static String unescape(String line, int from, int to) {
        StringBuilder text = new StringBuilder();
        int i = from;
        while (i < to) {
            char c = line.charAt(i++);
            if (c != ESCAPE) {
                text.append(c);
                continue;
            }
            char escaped = line.charAt(i++);
            switch (escaped) {
                case QUOTE -> text.append(QUOTE);
                case ESCAPE -> text.append(ESCAPE);
                case 'n' -> text.append('\n');
                case 't' -> text.append('\t');
                default ->
                    throw BadCommand.given(
                            "column " + i + " of the line",
                            "'\\" + escaped + "'",
                            "\\\" \\\\ \\n \\t, or 0x... for any bytes");
            }
        }
        return text.toString();
    }
}
