package texts

// Shorten returns a text of at most maxLetters letters. The last one is "…" if text has more.
func Shorten(text string, maxLetters int) string {
	letters := []rune(text)
	if len(letters) <= maxLetters {
		return text
	}
	return string(letters[:maxLetters-1]) + "…"
}
