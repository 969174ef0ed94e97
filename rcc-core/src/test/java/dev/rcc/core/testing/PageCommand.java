package dev.rcc.core.testing;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * A command of RCC that a page shows, in a block of code or as inline code.
 *
 * @param line the line where its block or inline code has it, from 1
 * @param block the number of the block of code in its page, from 1; 0 for inline code
 * @param words the words behind {@code ./rcc}, at least one, without quotes; not the files that input comes from and output goes to
 */
public record PageCommand(Path page, int line, int block, List<String> words) {
    private static final String FENCE = "```";
    private static final String LAUNCHER = "./rcc";
    /** As {@link #LAUNCHER}, in running text; in blocks, the prompt of the shell and the name in messages begin like this. */
    private static final String NAME = "rcc";

    private static final Set<Character> SEPARATORS = Set.of('|', '&', ';', '(', ')', '\n');

    /** The commands of a page, in order. */
    public static List<PageCommand> in(Path page) throws IOException {
        List<PageCommand> commands = new ArrayList<>();
        List<String> lines = Files.readAllLines(page);
        StringBuilder code = new StringBuilder();
        int block = 0;
        int begin = 0;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            boolean isFence = line.stripLeading().startsWith(FENCE);
            if (isFence && begin == 0) {
                begin = i + 1;
                block++;
            } else if (isFence) {
                add(commands, page, begin + 1, block, code.toString());
                code.setLength(0);
                begin = 0;
            } else if (begin > 0) {
                code.append(line).append('\n');
            } else {
                String[] spans = line.split("`", -1);
                for (int span = 1; span < spans.length; span += 2) {
                    add(commands, page, i + 1, 0, spans[span]);
                }
            }
        }
        return commands;
    }

    private static void add(List<PageCommand> commands, Path page, int line, int block, String code) {
        new Reader(code, line)
                .read().stream()
                        .map(each -> ofRcc(page, each, block))
                        .filter(each -> !each.words().isEmpty())
                        .forEach(commands::add);
    }

    private static PageCommand ofRcc(Path page, Simple command, int block) {
        List<String> words = command.words();
        boolean isRcc = !words.isEmpty()
                && (words.getFirst().equals(LAUNCHER)
                        || (block == 0 && words.getFirst().equals(NAME)));
        return new PageCommand(page, command.line(), block, isRcc ? words.subList(1, words.size()) : List.of());
    }

    @Override
    public String toString() {
        return page.getFileName() + ":" + line + ": ./rcc " + String.join(" ", words);
    }

    /** A command between the separators of a shell. */
    private record Simple(int line, List<String> words) {}

    /** Splits code as a shell does, as far as pages need it. */
    private static final class Reader {
        private final String code;
        private final List<Simple> commands = new ArrayList<>();
        private List<String> words = new ArrayList<>();
        private StringBuilder word = new StringBuilder();
        private boolean isInWord;
        private boolean isRedirected;
        private int line;
        private int begun;

        Reader(String code, int line) {
            this.code = code;
            this.line = line;
            this.begun = line;
        }

        List<Simple> read() {
            for (int i = 0; i < code.length(); i++) {
                char c = code.charAt(i);
                if (c == '\\' && i + 1 < code.length()) {
                    i++;
                    if (code.charAt(i) == '\n') {
                        endWord();
                        line++;
                    } else {
                        take(code.charAt(i));
                    }
                } else if ((c == '\'' || c == '"') && code.indexOf(c, i + 1) > 0) {
                    int end = code.indexOf(c, i + 1);
                    code.substring(i + 1, end).chars().forEach(each -> take((char) each));
                    i = end;
                } else if (c == '#' && !isInWord) {
                    int end = code.indexOf('\n', i);
                    i = (end < 0 ? code.length() : end) - 1;
                } else if (SEPARATORS.contains(c)) {
                    endCommand();
                    line += c == '\n' ? 1 : 0;
                    begun = line;
                } else if (c == '<' || c == '>') {
                    endWord();
                    isRedirected = true;
                } else if (c == ' ') {
                    endWord();
                } else {
                    take(c);
                }
            }
            endCommand();
            return commands;
        }

        private void take(char c) {
            word.append(c);
            isInWord = true;
        }

        private void endWord() {
            if (isInWord && !isRedirected) {
                words.add(word.toString());
            }
            isRedirected &= !isInWord;
            word = new StringBuilder();
            isInWord = false;
        }

        private void endCommand() {
            endWord();
            isRedirected = false;
            commands.add(new Simple(begun, words));
            words = new ArrayList<>();
        }
    }
}
