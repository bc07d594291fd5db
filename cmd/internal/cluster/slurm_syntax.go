package cluster

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

// grace is the time for a task to write checkpoints: Slurm interrupts the task grace before its
// time limit.
const grace = 60 * time.Second

var optionName = regexp.MustCompile(`^--[a-z][a-z0-9-]*$`)

// directive returns an option in the form that sbatch reads after #SBATCH. It quotes a value if
// sbatch would not read it as one word.
func directive(option string) (string, error) {
	name, value, hasValue := strings.Cut(option, "=")
	if !optionName.MatchString(name) {
		return "", fmt.Errorf("%q is no option of sbatch: want a form such as --qos=low", option)
	}
	if strings.ContainsAny(value, "\n\r\x00") {
		return "", fmt.Errorf("%q has an end of a line, which is not allowed in an option of sbatch", option)
	}
	if !hasValue {
		return name, nil
	}
	if strings.Trim(value, plainCharacters+"@:%,=") != "" {
		value = `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(value) + `"`
	}
	return name + "=" + value, nil
}

// plainCharacters lists characters without a meaning to a shell.
const plainCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+./"

// quoteWords returns the words as a shell command, each quoted if it needs to be.
func quoteWords(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		if quoted[i] = w; w == "" || strings.Trim(w, plainCharacters) != "" {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

var limitForm = regexp.MustCompile(`^(?:([0-9]{1,4})-)?([0-9]{1,6})(?::([0-9]{1,4}))?(?::([0-9]{1,4}))?$`)

// parseLimit reads a time limit in a form of sbatch: minutes, minutes:seconds,
// hours:minutes:seconds, days-hours, days-hours:minutes or days-hours:minutes:seconds. It
// returns an error if the limit is shorter than twice grace: Slurm may send the signal, due
// grace before the limit, a minute early.
func parseLimit(text string) (time.Duration, error) {
	found := limitForm.FindStringSubmatch(text)
	if found == nil {
		return 0, fmt.Errorf("%q is no time limit: want minutes, hours:minutes:seconds or days-hours:minutes:seconds", text)
	}
	number := func(group int) time.Duration {
		n, _ := strconv.Atoi("0" + found[group]) // at most six digits
		return time.Duration(n)
	}
	days, hours, minutes, seconds := number(1), number(2), number(3), number(4)
	if found[1] == "" && found[4] == "" { // minutes or minutes:seconds
		hours, minutes, seconds = 0, number(2), number(3)
	}
	limit := 24*days*time.Hour + hours*time.Hour + minutes*time.Minute + seconds*time.Second
	if least := 2 * grace; limit < least {
		return 0, fmt.Errorf("a time limit of %v is too short: want at least %v, as tasks are interrupted up to %v before it", limit, least, least)
	}
	return limit, nil
}
