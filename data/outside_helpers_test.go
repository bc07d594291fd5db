package data_test

// must returns value. It panics if err is not nil, since the test cannot go on without the value.
func must[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}
