package graph

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

// Whose a line is follows from its package's path, a whole one: a user's
// package may be called almost like one of this module's.
func TestWhoseALineIs(t *testing.T) {
	for function, want := range map[string]owner{
		"main.loss":                                userCode,
		"example.com/graph.loss.func1":             userCode,
		root + "/examples/plain.network.func1":     userCode,
		root + "tools/models.loss":                 userCode,
		root + "/modelsofmine.loss":                userCode,
		root + "/graphs.Draw":                      userCode,
		root + "/graph.(*Builder).apply":           machinery,
		root + "/internal/ops.ClampMin.Do":         machinery,
		root + "/models.(*passes).run":             machinery,
		root + "/models/networks.Dense":            partCode,
		root + "/models/methods.SecondMoment":      partCode,
		root + "/models.Network.forward.func1":     callerCode,
		root + "/models.Spec.LossOver.func1":       callerCode,
		root + "/models.Method.Prediction":         callerCode,
		root + "/trainers.Train":                   callerCode,
		root + "/trainers/check.Method":            callerCode,
		"gorgonia.org/gorgonia.Must":               machinery,
		"gorgonia.org/tensor/internal/storage.Get": machinery,
		"runtime.gopanic":                          machinery,
		"runtimes.loss":                            userCode,
		"gopkg.in/loss%2ev2.(*Loss).Of":            userCode,
	} {
		if got := ownerOf(runtime.Frame{Function: function, File: "/somewhere/x.go"}); got != want {
			t.Errorf("%s: %d, want %d", function, got, want)
		}
	}
	if got := ownerOf(runtime.Frame{Function: root + "/graph.TestX", File: "/somewhere/x_test.go"}); got != userCode {
		t.Errorf("a test is %d", got)
	}
}

// A panic while another is recovered, and one far below, keep their lines and
// their cause.
func TestRecover(t *testing.T) {
	cause := errors.New("the cause")
	var deep func(n int)
	deep = func(n int) {
		if n > 0 {
			deep(n - 1)
			return
		}
		panic(cause)
	}
	err := func() (err error) {
		defer Recover(&err, "this")
		deep(100)
		return nil
	}()
	if !errors.Is(err, cause) || !strings.HasPrefix(err.Error(), "this: the cause (at origin_test.go:") {
		t.Errorf("%v", err)
	}
	b := New(Float32, new(Params))
	b.Fail(err)
	if b.Err().Error() != err.Error() {
		t.Errorf("%v has a second line", b.Err())
	}
}
