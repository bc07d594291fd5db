package cluster

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// optionName matches the name of an option of sbatch.
var optionName = regexp.MustCompile(`^--[a-z][a-z0-9-]*$`)

// plainValue matches values of options that sbatch reads as one word.
var plainValue = regexp.MustCompile(`^[A-Za-z0-9_+./@:%,=-]*$`)

// directive returns an option in the form that sbatch reads after #SBATCH. It quotes a value that sbatch
// would not read as one word. It returns an error if the option has no name such as --qos, or a value
// that does not fit on one line.
func directive(option string) (string, error) {
	name, value, hasValue := strings.Cut(option, "=")
	if !optionName.MatchString(name) {
		return "", fmt.Errorf("%q is not an option of sbatch: want a form such as --qos=low", option)
	}
	if strings.ContainsAny(value, "\n\r\x00") {
		return "", fmt.Errorf("%q has a line break or a NUL; want an option of sbatch on one line", option)
	}
	if !hasValue {
		return name, nil
	}
	if !plainValue.MatchString(value) {
		value = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
	}
	return name + "=" + value, nil
}

// plainWord matches words without a character that has a meaning to a shell.
var plainWord = regexp.MustCompile(`^[A-Za-z0-9_+./-]+$`)

// quoteWords returns the words as a shell command, with spaces between them. A word that is empty or has
// a character with a meaning to the shell is quoted.
func quoteWords(words ...string) string {
	quoted := make([]string, len(words))
	for i, word := range words {
		quoted[i] = word
		if !plainWord.MatchString(word) {
			quoted[i] = "'" + strings.ReplaceAll(word, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

// timeLimitForm matches [DAYS-]NUMBER[:NUMBER[:NUMBER]]. Its groups 1 to 4 are the four numbers.
var timeLimitForm = regexp.MustCompile(`^(?:([0-9]{1,4})-)?([0-9]{1,6})(?::([0-9]{1,4}))?(?::([0-9]{1,4}))?$`)

// parseTimeLimit reads a time limit in a form of sbatch: minutes, minutes:seconds,
// hours:minutes:seconds, days-hours, days-hours:minutes or days-hours:minutes:seconds. It
// returns an error if the limit is shorter than twice the grace period: Slurm may send the signal,
// which is due a grace period before the limit, a minute early.
func parseTimeLimit(text string) (time.Duration, error) {
	const (
		day      = 24 * time.Hour
		shortest = 2 * gracePeriod
	)
	groups := timeLimitForm.FindStringSubmatch(text)
	if groups == nil {
		return 0, fmt.Errorf("%q is not a time limit: want minutes, hours:minutes:seconds or days-hours:minutes:seconds", text)
	}
	number := func(group int) time.Duration {
		n, _ := strconv.Atoi("0" + groups[group]) // a missing group is ""; at most six digits do not overflow
		return time.Duration(n)
	}
	// The number after the days counts hours if there are days or three numbers, and otherwise minutes. Each
	// further number counts sixtieths of the unit before.
	hasDays := groups[1] != ""
	hasThreeNumbers := groups[4] != ""
	unit := time.Minute
	if hasDays || hasThreeNumbers {
		unit = time.Hour
	}
	limit := number(1)*day + number(2)*unit + number(3)*(unit/60) + number(4)*(unit/60/60)
	if limit < shortest {
		return 0, fmt.Errorf("a time limit of %v is too short: want at least %v, as tasks are interrupted up to %v before it", limit, shortest, shortest)
	}
	return limit, nil
}
