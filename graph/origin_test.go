package graph

import (
	"errors"
	"runtime"
	"strings"
	"testing"
)

// The owner of a line follows from the whole path of its package: the path of a user's
// package may begin like one of this module's.
func TestOwnerOf(t *testing.T) {
	for function, want := range map[string]codeOwner{
		"main.loss":                                       userCode,
		"example.com/graph.loss.func1":                    userCode,
		modulePath + "/examples/plain.network.func1":      userCode,
		modulePath + "tools/models.loss":                  userCode,
		modulePath + "/modelsofmine.loss":                 userCode,
		modulePath + "/graphs.Draw":                       userCode,
		modulePath + "/graph.(*Builder).apply":            machineryCode,
		modulePath + "/internal/ops.ClampMin.Do":          machineryCode,
		modulePath + "/models.(*checkedNetwork).run":      machineryCode,
		modulePath + "/models.partInputs.layer":           machineryCode,
		modulePath + "/models/networks.Dense":             componentCode,
		modulePath + "/models/methods.SecondMoment":       componentCode,
		modulePath + "/models.Network.forward.func1":      callerCode,
		modulePath + "/models.Spec.LossWithNetwork.func1": callerCode,
		modulePath + "/models.Method.Prediction":          callerCode,
		modulePath + "/trainers.Train":                    callerCode,
		modulePath + "/trainers/check.Method":             callerCode,
		"gorgonia.org/gorgonia.Must":                      machineryCode,
		"gorgonia.org/tensor/internal/storage.Get":        machineryCode,
		"runtime.gopanic":                                 machineryCode,
		"runtimes.loss":                                   userCode,
		"gopkg.in/loss%2ev2.(*Loss).Of":                   userCode,
	} {
		if got := ownerOf(runtime.Frame{Function: function, File: "/somewhere/x.go"}); got != want {
			t.Errorf("%s: %d, want %d", function, got, want)
		}
	}
	if got := ownerOf(runtime.Frame{Function: modulePath + "/graph.TestX", File: "/somewhere/x_test.go"}); got != userCode {
		t.Errorf("a test is %d", got)
	}
}

// A panic keeps its line and its cause, also if it is far down the stack. Builder.Fail adds no
// second line.
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
