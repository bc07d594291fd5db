package read

import "strings"

// minusFirst returns a negative number such as (5), ($5), $(5), 5- or - 5, as accountants and some programs write them, with
// its minus in front: -5 or -$5. It returns any other cell as it is.
func minusFirst(cell string) string {
	beforeBracket, inner, hasBracket := strings.Cut(cell, "(")
	inner, isClosed := strings.CutSuffix(inner, ")")
	hasAmountBefore := beforeBracket != "" && !isCurrency(strings.TrimSpace(beforeBracket))
	switch {
	case hasBracket:
		if isClosed && !hasAmountBefore {
			return "-" + beforeBracket + inner
		}
		return cell
	case strings.HasPrefix(cell, "- "):
		return "-" + strings.TrimLeft(cell[1:], " ")
	}
	if number, ok := strings.CutSuffix(cell, "-"); ok {
		return "-" + number
	}
	return cell
}
