package draw

// palette has the colours of a box, as #rrggbb.
type palette struct{ fill, stroke, text string }

// nodeLook is how nodes of a kind are painted.
type nodeLook struct {
	kind          nodeKind
	name          string // in the legend
	light, dark   palette
	dashed        bool   // whether the outline is
	graphvizShape string // name of the shape in DOT
}

// nodeLooks has a look for each kind of nodes, in the order of the legend.
var nodeLooks = []nodeLook{
	{
		kind: nodeInput, name: "input", graphvizShape: "parallelogram",
		light: palette{fill: "#dbeafe", stroke: "#2563eb", text: "#111827"},
		dark:  palette{fill: "#1e3a5f", stroke: "#6b9cf5", text: "#e5e7eb"},
	}, {
		kind: nodeWeights, name: "weights", graphvizShape: "cylinder",
		light: palette{fill: "#fdf3e1", stroke: "#c2740a", text: "#111827"},
		dark:  palette{fill: "#4a3417", stroke: "#c2740a", text: "#e5e7eb"},
	}, {
		kind: nodeSharedWeights, name: "weights shared by passes", graphvizShape: "cylinder",
		light: palette{fill: "#f9cf8f", stroke: "#c2740a", text: "#111827"},
		dark:  palette{fill: "#7a4f14", stroke: "#c2740a", text: "#e5e7eb"},
	}, {
		kind: nodeOperation, name: "operation", graphvizShape: "box",
		light: palette{fill: "#ffffff", stroke: "#5b6770", text: "#111827"},
		dark:  palette{fill: "#23282d", stroke: "#97a2ac", text: "#e5e7eb"},
	}, {
		kind: nodeDropout, name: "dropout mask, drawn anew at every step", graphvizShape: "box", dashed: true,
		light: palette{fill: "#ede4fb", stroke: "#7c3aed", text: "#111827"},
		dark:  palette{fill: "#3b2a5c", stroke: "#a98bf5", text: "#e5e7eb"},
	}, {
		kind: nodeStop, name: "stop gradient: no gradient passes it", graphvizShape: "octagon",
		light: palette{fill: "#fde2e1", stroke: "#c81e1e", text: "#8f1414"},
		dark:  palette{fill: "#5a1f1f", stroke: "#f2676c", text: "#ffb9b9"},
	}, {
		kind: nodeLoss, name: "loss", graphvizShape: "box",
		light: palette{fill: "#1f2937", stroke: "#1f2937", text: "#ffffff"},
		dark:  palette{fill: "#e5e7eb", stroke: "#e5e7eb", text: "#111827"},
	}, {
		kind: nodeGradient, name: "gradient", graphvizShape: "box",
		light: palette{fill: "#fff6f6", stroke: "#c26a70", text: "#111827"},
		dark:  palette{fill: "#3a2528", stroke: "#c26a70", text: "#e5e7eb"},
	}, {
		kind: nodeWeightsGradient, name: "gradient of weights", graphvizShape: "cylinder",
		light: palette{fill: "#fdebcf", stroke: "#c26a70", text: "#111827"},
		dark:  palette{fill: "#5a3f1a", stroke: "#c26a70", text: "#e5e7eb"},
	},
}

// lookOf returns the look of nodes of a kind.
func lookOf(kind nodeKind) nodeLook {
	for _, look := range nodeLooks {
		if look.kind == kind {
			return look
		}
	}
	panic("a kind of nodes has no look")
}

// edgeLook is how edges of a kind are painted.
type edgeLook struct {
	light, dark string // colours
	dashed      bool
}

// edgeLooks has the look of each kind of edges.
var edgeLooks = [...]edgeLook{
	edgePlain:    {light: "#5b6770", dark: "#97a2ac"},
	edgeWeights:  {light: "#c2740a", dark: "#c2740a"},
	edgeStopped:  {light: "#c81e1e", dark: "#f2676c", dashed: true},
	edgeGradient: {light: "#c26a70", dark: "#c26a70"},
}

// Looks of the picture outside its nodes: the ground, and the frames of clusters. Their texts are titles.
var (
	lightGround = palette{fill: "#ffffff", stroke: "#ffffff", text: "#374151"}
	darkGround  = palette{fill: "#15181b", stroke: "#15181b", text: "#c5ccd4"}
	lightFrame  = palette{fill: "#f3f6fa", stroke: "#94a3b8", text: "#374151"}
	darkFrame   = palette{fill: "#1b2027", stroke: "#94a3b8", text: "#c5ccd4"}
)
