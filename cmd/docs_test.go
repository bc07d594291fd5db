//go:build unix

package cmd

import (
	"fmt"
	"go/format"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"

	"sml/internal/expect"
)

// Pages of the documentation run as they are printed. In README.md and in every page of docs,
// the info string of a fenced block, the words behind its backquotes, says what the test does
// with the block:
//
//	sh                   the commands run, in the order of the page, in one shell in a new directory
//	sh not-run: REASON   the commands do not run, for a reason that readers see in the source
//	text                 the output of the block of commands directly before it
//	LANGUAGE FILE        the block is written to FILE before the commands behind it run
//	LANGUAGE from PATH   the block is an excerpt of a file of the repository
//	LANGUAGE             any other language but go: the test ignores the block
//
// A text block shows standard output, standard error, or the second followed by the first. A line
// "..." stands for any lines, also none, and "..." inside a line for any text. In an excerpt, a line
// "..." stands for lines that the page leaves out.
//
// The new directory stands beside a directory sml with the source, as for a reader who makes one
// beside the clone.
//
// A page whose commands need the real data sets or the raw tables has a line
// <!-- needs SML_DATA --> or <!-- needs SML_TABLES -->, and is skipped without them. A page with a
// line <!-- needs PROGRAM --> is skipped where that program is not installed.

// TestDocsCommands runs the commands of every page and compares their output with the page.
func TestDocsCommands(t *testing.T) {
	for _, name := range docsPages(t) {
		t.Run(name, func(t *testing.T) {
			text := readPage(t, name)
			blocks := expect.Must(parseBlocks(text))
			if !slices.ContainsFunc(blocks, docsBlock.runs) {
				return
			}
			skipUnlessRunnable(t, text)
			t.Parallel()
			dir := runBlocks(t, blocks)
			if name == "README.md" {
				checkIgnored(t, dir)
			}
		})
	}
}

// checkIgnored reports an error for each file or directory in dir that .gitignore does not list by
// name. Readers run the commands of the README in the clone.
func checkIgnored(t *testing.T, dir string) {
	t.Helper()
	var ignored []string
	for line := range strings.Lines(readPage(t, ".gitignore")) {
		ignored = append(ignored, strings.Trim(strings.TrimSpace(line), "/"))
	}
	entries := expect.Must(os.ReadDir(dir))
	for _, entry := range entries {
		if !slices.Contains(ignored, entry.Name()) {
			t.Errorf("%s is not in .gitignore", entry.Name())
		}
	}
}

// docsPages returns the paths of README.md, CONTRIBUTING.md and all pages of docs, relative to the
// root of the repository. Tables that a report writes are not pages.
func docsPages(t *testing.T) []string {
	t.Helper()
	pages := []string{"README.md", "CONTRIBUTING.md"}
	err := filepath.WalkDir(filepath.Join("..", "docs"), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == "tables" {
			return fs.SkipDir
		}
		if strings.HasSuffix(path, ".md") {
			name, err := filepath.Rel("..", path)
			pages = append(pages, filepath.ToSlash(name))
			return err
		}
		return nil
	})
	expect.NoError(t, err)
	return pages
}

func readPage(t *testing.T, name string) string {
	t.Helper()
	text := readFile(t, filepath.Join("..", name))
	return string(text)
}

// skipUnlessRunnable skips a page with commands in a short run, and a page whose data are missing.
func skipUnlessRunnable(t *testing.T, text string) {
	t.Helper()
	skipIfShort(t)
	if strings.Contains(text, "<!-- needs SML_DATA -->") && os.Getenv("SML_DATA") == "" {
		t.Skip("needs SML_DATA")
	}
	if strings.Contains(text, "<!-- needs SML_TABLES -->") && rawTables() == "" {
		t.Skip("needs SML_TABLES")
	}
	for _, found := range regexp.MustCompile(`<!-- needs ([a-z]\S*) -->`).FindAllStringSubmatch(text, -1) {
		if _, err := exec.LookPath(found[1]); err != nil {
			t.Skipf("needs %s", found[1])
		}
	}
}

// docsBlock is a fenced block of a page.
type docsBlock struct {
	line     int    // line number of the opening fence
	language string // first word of the info string
	argument string // rest of the info string: a file name, or "not-run: REASON"
	text     string // lines between the fences
}

// runs reports whether the block holds commands that the test runs.
func (b docsBlock) runs() bool { return b.language == "sh" && b.argument == "" }

// writes reports whether the block is a file for the commands behind it.
func (b docsBlock) writes() bool {
	return b.language != "sh" && b.argument != "" && b.excerptOf() == ""
}

// excerptOf returns the path of the file that the block quotes, or "" if it quotes none.
func (b docsBlock) excerptOf() string {
	path, ok := strings.CutPrefix(b.argument, "from ")
	if !ok {
		return ""
	}
	return path
}

// fence opens or closes a block, which may be indented as a part of a list.
var fence = regexp.MustCompile("^( *)```(.*)$")

// parseBlocks returns the fenced blocks of a page. It returns an error for a block without a
// language, for a block that no fence closes, and for commands outside of a fenced block.
func parseBlocks(page string) ([]docsBlock, error) {
	var blocks []docsBlock
	var block *docsBlock // the open block, nil outside of blocks
	indent := ""
	lines := strings.Split(page, "\n")
	for i, line := range lines {
		found := fence.FindStringSubmatch(line)
		switch {
		case found != nil && block == nil:
			language, argument, _ := strings.Cut(strings.TrimSpace(found[2]), " ")
			block, indent = &docsBlock{line: i + 1, language: language, argument: argument}, found[1]
			if err := block.check(); err != nil {
				return nil, err
			}
		case found != nil:
			blocks = append(blocks, *block)
			block = nil
		case block != nil:
			block.text += strings.TrimPrefix(line, indent) + "\n"
		case isIndentedCode(lines, i):
			return nil, fmt.Errorf("line %d: %q is an indented block; put it between ``` fences", i+1, strings.TrimSpace(line))
		}
	}
	if block != nil {
		return nil, fmt.Errorf("line %d: no fence closes the block", block.line)
	}
	return blocks, nil
}

// check returns an error if the info string is none that the test knows.
func (b docsBlock) check() error {
	switch {
	case b.language == "":
		return fmt.Errorf("line %d: the block has no language; use sh, text or another", b.line)
	case b.language == "go" && b.argument == "":
		return fmt.Errorf("line %d: Go code of no file; write \"go FILE\" if commands use it, or \"go from PATH\" for an excerpt", b.line)
	case b.language == "sh" && b.argument != "" && !strings.HasPrefix(b.argument, "not-run: "):
		return fmt.Errorf("line %d: %q behind sh; want nothing, or \"not-run: REASON\"", b.line, b.argument)
	}
	return nil
}

// isIndentedCode reports whether line i begins an indented code block: it follows an empty line and
// starts with four blanks or a tab.
func isIndentedCode(lines []string, i int) bool {
	indented := strings.HasPrefix(lines[i], "    ") || strings.HasPrefix(lines[i], "\t")
	return indented && strings.TrimSpace(lines[i]) != "" && (i == 0 || strings.TrimSpace(lines[i-1]) == "")
}

// runBlocks runs the commands of a page in a new directory and compares the output of each block of
// commands with the text block that follows it. It returns the directory.
func runBlocks(t *testing.T, blocks []docsBlock) string {
	t.Helper()
	dir := newPageDir(t)
	scratch := t.TempDir()
	if err := runShell(t, dir, pageScript(t, scratch, blocks)); err != nil {
		last := lastStarted(scratch, blocks)
		t.Fatalf("commands of the block in line %d: %v\n%s", blocks[last].line, err, readOutput(scratch, last).errors)
	}
	for i, b := range blocks {
		if b.language != "text" || i == 0 || !blocks[i-1].runs() {
			continue
		}
		if got := readOutput(scratch, i-1); !got.matches(b.text) {
			t.Errorf("line %d: the page shows\n%s\nstandard output is\n%s\nand standard error is\n%s", b.line, b.text, got.out, got.errors)
		}
	}
	return dir
}

// pageScript returns a shell script that writes the files of a page and runs its commands. One
// shell runs all of them, so that variables and the working directory stay from block to block. The
// output of block i goes to the files out-i and err-i of scratch.
func pageScript(t *testing.T, scratch string, blocks []docsBlock) string {
	t.Helper()
	var script strings.Builder
	script.WriteString("set -e\n")
	for i, b := range blocks {
		switch {
		case b.runs():
			fmt.Fprintf(&script, "exec >'%s' 2>'%s'\n%s", outputPath(scratch, "out", i), outputPath(scratch, "err", i), b.text)
		case b.writes():
			source := outputPath(scratch, "file", i)
			writeFile(t, source, b.text)
			fmt.Fprintf(&script, "mkdir -p \"$(dirname '%s')\"\ncp '%s' '%s'\n", b.argument, source, b.argument)
		}
	}
	return script.String()
}

// outputPath returns the path of the file of a kind that belongs to block i.
func outputPath(scratch, kind string, i int) string {
	return filepath.Join(scratch, fmt.Sprintf("%s-%d", kind, i))
}

// runShell runs a script in a directory. It returns the error of the first command that fails.
// Programs that the script leaves in the background are killed.
func runShell(t *testing.T, dir, script string) error {
	t.Helper()
	path := filepath.Join(t.TempDir(), "page.sh") // not standard input, which commands may read
	writeFile(t, path, script)
	shell := exec.CommandContext(t.Context(), "sh", path)
	shell.Dir = dir
	shell.Env = append(os.Environ(), "SML_TABLES="+rawTables())
	shell.Env = append(shell.Env, quickBuildEnv()...)
	shell.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	expect.NoError(t, shell.Start())
	err := shell.Wait()
	syscall.Kill(-shell.Process.Pid, syscall.SIGKILL) // fails if the group has ended
	return err
}

// quickBuildEnv returns variables that make the builds of pages fast. Without -trimpath, packages of the link's
// new path would be compiled again for each page. Without cgo, pages share the compiled packages with
// TestDependenciesPage. No page needs symbols for debuggers, which -w leaves out.
func quickBuildEnv() []string {
	return []string{"CGO_ENABLED=0", "GOFLAGS=" + os.Getenv("GOFLAGS") + " -trimpath -ldflags=-w"}
}

// newPageDir returns a new empty directory beside a link sml to the source of the project.
func newPageDir(t *testing.T) string {
	t.Helper()
	source := expect.Must(filepath.Abs(".."))
	parent := t.TempDir()
	expect.NoError(t, os.Symlink(source, filepath.Join(parent, "sml")))
	dir := filepath.Join(parent, "page")
	expect.NoError(t, os.Mkdir(dir, 0o777))
	return dir
}

// lastStarted returns the index of the last block whose commands started.
func lastStarted(scratch string, blocks []docsBlock) int {
	last := 0
	for i := range blocks {
		if fileExists(outputPath(scratch, "err", i)) {
			last = i
		}
	}
	return last
}

// blockOutput is what a block of commands printed.
type blockOutput struct {
	out    string // standard output
	errors string // standard error
}

// readOutput returns what block i printed, empty if it did not start.
func readOutput(scratch string, i int) blockOutput {
	out, _ := os.ReadFile(outputPath(scratch, "out", i))
	errors, _ := os.ReadFile(outputPath(scratch, "err", i))
	return blockOutput{string(out), string(errors)}
}

// matches reports whether a page's text shows the standard output, the standard error, or both.
func (o blockOutput) matches(text string) bool {
	return matchesOutput(text, o.out) || matchesOutput(text, o.errors) || matchesOutput(text, o.errors+o.out)
}

// matchesOutput reports whether got is the text of a page, in which a line "..." stands for any
// lines and "..." inside a line for any text. Blanks at the ends of lines do not count.
func matchesOutput(text, got string) bool {
	var pattern strings.Builder
	pattern.WriteString("^")
	for line := range strings.Lines(strings.TrimSpace(text) + "\n") {
		line = strings.TrimRight(line, " \n")
		if strings.TrimSpace(line) == "..." {
			pattern.WriteString("(.*\n)*")
			continue
		}
		parts := strings.Split(line, "...")
		for i := range parts {
			parts[i] = regexp.QuoteMeta(parts[i])
		}
		pattern.WriteString(strings.Join(parts, ".*") + " *\n")
	}
	pattern.WriteString("$")
	return regexp.MustCompile(pattern.String()).MatchString(strings.TrimSpace(got) + "\n")
}

// Excerpts on pages are in the files that they name, and Go files on pages are formatted.
func TestDocsExcerpts(t *testing.T) {
	for _, name := range docsPages(t) {
		blocks, err := parseBlocks(readPage(t, name))
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for _, b := range blocks {
			if b.language == "go" && b.writes() {
				formatted, err := format.Source([]byte(b.text))
				if err != nil || string(formatted) != b.text {
					t.Errorf("%s: gofmt changes the block in line %d (%v)", name, b.line, err)
				}
			}
			path := b.excerptOf()
			if path == "" {
				continue
			}
			text, err := os.ReadFile(filepath.Join("..", path))
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else if missing := missingExcerpt(b.text, string(text)); missing != "" {
				t.Errorf("%s: the excerpt in line %d is not in %s; no place has\n%s", name, b.line, path, missing)
			}
		}
	}
}

// missingExcerpt returns the first part of an excerpt that a file does not have behind the parts
// before it, or "" if it has all. Lines "..." separate the parts. Blank lines, and blanks around
// lines, do not count.
func missingExcerpt(excerpt, file string) string {
	rest := trimmedLines(file)
	for part := range strings.SplitSeq(trimmedLines(excerpt), "\n...\n") {
		part = strings.Trim(part, "\n")
		if part == "" {
			continue // the excerpt begins or ends with "..."
		}
		part = "\n" + part + "\n"
		_, after, ok := strings.Cut(rest, part)
		if !ok {
			return part
		}
		rest = "\n" + after
	}
	return ""
}

// trimmedLines returns a text without its empty lines and without blanks around lines. It begins and
// ends with a line break.
func trimmedLines(text string) string {
	kept := "\n"
	for line := range strings.Lines(text) {
		if line := strings.TrimSpace(line); line != "" {
			kept += line + "\n"
		}
	}
	return kept
}

// Links between pages lead to files, and to headings, that exist.
func TestDocsLinks(t *testing.T) {
	link := regexp.MustCompile(`\]\(([^)\s]+)\)`)
	for _, name := range docsPages(t) {
		for _, found := range link.FindAllStringSubmatch(readPage(t, name), -1) {
			if strings.Contains(found[1], "://") {
				continue
			}
			path, anchor, _ := strings.Cut(found[1], "#")
			target := name
			if path != "" {
				target = filepath.Join(filepath.Dir(name), path)
			}
			if _, err := os.Stat(filepath.Join("..", target)); err != nil {
				t.Errorf("%s: the link %s leads nowhere: %v", name, found[1], err)
				continue
			}
			if anchor != "" && !slices.Contains(anchors(readPage(t, target)), anchor) {
				t.Errorf("%s: the link %s leads to no heading", name, found[1])
			}
		}
	}
}

// anchors returns the anchors of a page's headings, as GitHub makes them: in lower case, without
// punctuation, and with a hyphen for each blank.
func anchors(page string) []string {
	var found []string
	for _, heading := range regexp.MustCompile(`(?m)^#+ (.*)$`).FindAllStringSubmatch(page, -1) {
		words := regexp.MustCompile(`[^\p{L}\p{N} _-]`).ReplaceAllString(strings.ToLower(heading[1]), "")
		found = append(found, strings.ReplaceAll(words, " ", "-"))
	}
	return found
}

// Tests and Go files that pages name exist: `a/b.go` is a path from the root of the repository, and `b.go` the name of any
// file.
func TestDocsNames(t *testing.T) {
	known := make(map[string]bool) // paths and names of files, and functions of tests
	function := regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)`)
	expect.NoError(t, filepath.WalkDir("..", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") && !strings.HasSuffix(path, ".txtar") {
			return err
		}
		name, _ := filepath.Rel("..", path)
		known[filepath.ToSlash(name)] = true
		known[entry.Name()] = true
		for _, found := range function.FindAllStringSubmatch(string(readFile(t, path)), -1) {
			known[found[1]] = true
		}
		return nil
	}))
	written := regexp.MustCompile("(?m)^```go (\\S+)$") // files that a page writes for its commands
	name := regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Z]\\w*|[\\w/]+\\.(?:go|txtar))`")
	for _, page := range docsPages(t) {
		text := readPage(t, page)
		own := make(map[string]bool)
		for _, found := range written.FindAllStringSubmatch(text, -1) {
			own[found[1]] = true
		}
		for _, found := range name.FindAllStringSubmatch(text, -1) {
			if !known[found[1]] && !own[found[1]] {
				t.Errorf("%s names %s, which does not exist", page, found[1])
			}
		}
	}
}

// A page's text matches an output only where "..." leaves something open.
func TestMatchesOutput(t *testing.T) {
	output := "first\nRMSE 0.27\nlast  \n"
	for text, want := range map[string]bool{
		"first\nRMSE 0.27\nlast\n":   true,
		"first\nRMSE ...\nlast\n":    true,
		"first\n...\n":               true,
		"...\nRMSE 0.27\n...\n":      true,
		"...\nlast\n...\n":           true,
		"first\nlast\n":              false,
		"first\nRMSE 0.28\nlast\n":   false,
		"first\nRMSE 0...7\n":        false,
		"RMSE 0.27\nlast\n":          false,
		"first\nRMSE 0.27\n...ast\n": true,
	} {
		if got := matchesOutput(text, output); got != want {
			t.Errorf("%q matches %q: %v, want %v", text, output, got, want)
		}
	}
}

// Blocks of a page run with its files, and pages that hide commands from the test are refused.
func TestDocsBlocks(t *testing.T) {
	fences := func(text string) string { return strings.ReplaceAll(text, "~~~", "```") }
	blocks, err := parseBlocks(fences("# Page\n~~~text a/b.txt\nhello\n~~~\n- item\n  ~~~sh\n  cd a\n  word=$(cat b.txt)\n  ~~~\n\n~~~sh\necho $word; echo bad >&2\n~~~\n~~~text\nbad\nhel...\n~~~\n~~~sh not-run: it fails\nexit 3\n~~~\n"))
	if err != nil || len(blocks) != 5 {
		t.Fatalf("%d blocks (%v), want 5", len(blocks), err)
	}
	runBlocks(t, blocks)
	for excerpt, want := range map[string]bool{"b {\n...\n}": true, "a\n\tb {": true, "}\n...\na": false, "a\nc": false} {
		if missing := missingExcerpt(excerpt, "a\n\n\tb {\n\t\tc\n\t}\n"); (missing == "") != want {
			t.Errorf("excerpt %q: missing %q", excerpt, missing)
		}
	}
	for _, page := range []string{"~~~go\nx := 1\n~~~\n", "~~~\nsml\n~~~\n", "~~~sh\nsml\n", "~~~sh later\nsml\n~~~\n", "Run this:\n\n    sml train\n"} {
		if _, err := parseBlocks(fences(page)); err == nil {
			t.Errorf("%q is accepted", page)
		}
	}
}
