package tune

import "testing"

// skipIfShort skips a test that takes seconds if the tests run with -short.
func skipIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("takes seconds: make test runs it")
	}
}
