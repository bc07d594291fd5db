// The generator is a module of its own, so that users of the kernels never
// download what it needs.
module sml/internal/kernels/gen

go 1.26.0

require github.com/mmcloughlin/avo v0.6.0

require (
	golang.org/x/mod v0.42.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	// avo v0.6.0 asks for an older one, which Go 1.26 does not build.
	golang.org/x/tools v0.52.0 // indirect
)
