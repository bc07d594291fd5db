package draw

// nodeKind is the meaning of a node, which determines its look.
type nodeKind uint8

// The kinds of nodes, in the order of the legend.
const (
	nodeInput           nodeKind = iota // input column values or targets
	nodeWeights                         // parameters of one layer
	nodeSharedWeights                   // parameters of one layer that several operations use
	nodeOperation                       // operation of the forward pass
	nodeDropout                         // dropout mask, and the multiplication by it
	nodeStop                            // stop-gradient
	nodeLoss                            // weighted sum of the terms
	nodeGradient                        // operation of the backward pass
	nodeWeightsGradient                 // gradient of a parameter
)

// nodeLook is how nodes of a kind are painted.
type nodeLook struct {
	name               string // in the legend
	graphvizShape      string // name of the shape in DOT
	fill, stroke, text string // colours, as #rrggbb
	dashed             bool   // whether the outline is
}

// nodeLooks has the look of each kind of nodes.
var nodeLooks = [...]nodeLook{
	nodeInput: {
		name: "input", graphvizShape: "parallelogram",
		fill: "#dbeafe", stroke: "#2563eb", text: "#111827",
	},
	nodeWeights: {
		name: "weights", graphvizShape: "cylinder",
		fill: "#fdf3e1", stroke: "#c2740a", text: "#111827",
	},
	nodeSharedWeights: {
		name: "weights shared by passes", graphvizShape: "cylinder",
		fill: "#f9cf8f", stroke: "#c2740a", text: "#111827",
	},
	nodeOperation: {
		name: "operation", graphvizShape: "box",
		fill: "#ffffff", stroke: "#5b6770", text: "#111827",
	},
	nodeDropout: {
		name: "dropout mask, drawn anew at every step", graphvizShape: "box", dashed: true,
		fill: "#ede4fb", stroke: "#7c3aed", text: "#111827",
	},
	nodeStop: {
		name: "stop gradient: no gradient passes it", graphvizShape: "octagon",
		fill: "#fde2e1", stroke: "#c81e1e", text: "#8f1414",
	},
	nodeLoss: {
		name: "loss", graphvizShape: "box",
		fill: "#1f2937", stroke: "#1f2937", text: "#ffffff",
	},
	nodeGradient: {
		name: "gradient", graphvizShape: "box",
		fill: "#fff6f6", stroke: "#c26a70", text: "#111827",
	},
	nodeWeightsGradient: {
		name: "gradient of weights", graphvizShape: "cylinder",
		fill: "#fdebcf", stroke: "#c26a70", text: "#111827",
	},
}

// edgeKind determines the look of an edge.
type edgeKind uint8

const (
	edgePlain    edgeKind = iota
	edgeWeights           // from weights
	edgeStopped           // from a stop-gradient
	edgeGradient          // of the backward pass
)

// edgeLooks has the look of each kind of edges.
var edgeLooks = [...]struct {
	colour string
	dashed bool
}{
	edgePlain:    {colour: "#5b6770"},
	edgeWeights:  {colour: "#c2740a"},
	edgeStopped:  {colour: "#c81e1e", dashed: true},
	edgeGradient: {colour: "#c26a70"},
}

// frameLook is how the frames of clusters are painted.
var frameLook = nodeLook{fill: "#f3f6fa", stroke: "#94a3b8", text: "#374151"}
