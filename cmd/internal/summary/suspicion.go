package summary

// Kind is the kind of a suspicion.
type Kind string

const (
	LikeTarget  Kind = "like-target"     // an input gives a target away: it is the target, or determines it
	Total       Kind = "total"           // a row has the sums of all others
	FarTarget   Kind = "far-target"      // a few values of a target lie far from all others
	FilledRows  Kind = "filled-rows"     // rows seem to be filled in: inputs are missing, or have a rare value, exactly where a target has one value or a range
	Combination Kind = "combination"     // inputs give a target away together
	Strong      Kind = "strong"          // an input predicts a target very well, but does not give it away
	Names       Kind = "names"           // the numbers of an input predict a target better as names
	Duplicate   Kind = "duplicate"       // an input has the same information as another input
	Constant    Kind = "nearly-constant" // nearly all rows have the same value of an input
	Counter     Kind = "counter"         // an input numbers the rows
	Identifier  Kind = "identifier"      // an input names the rows by numbers
	Time        Kind = "time"            // rows stand in the order of time
	Groups      Kind = "groups"          // several rows seem to describe the same thing
	Neighbours  Kind = "neighbours"      // the target of a row is like the target of the row before
	Copies      Kind = "copies"          // rows occur more than once
	ManyClasses Kind = "many-classes"    // a target of texts has nearly as many different ones as rows
	FewValues   Kind = "few-values"      // a target has few different values, all whole numbers
	Skewed      Kind = "skewed"          // a target has a long tail
	Inflated    Kind = "inflated"        // a target has one value in many rows, such as 0
	Far         Kind = "far"             // an input has a value far from all others
	FarDate     Kind = "far-date"        // a few dates lie far from all others
	Future      Kind = "future"          // a few dates lie in the future
	Code        Kind = "code"            // a number seems to stand for a missing value
)

// Suspicion is something that the user of a table should look at before a training.
type Suspicion struct {
	Kind    Kind     `json:"kind"`
	Columns []string `json:"columns,omitempty"` // nil if the suspicion is about rows
	Says    string   `json:"says"`              // what was found, such as "equal to the target price"
	Advice  string   `json:"advice"`            // what the user can do
	Flags   []Flag   `json:"flags,omitempty"`   // flags of train that follow the advice; nil if there are none
}

// Flag is a flag of train with its value, such as --drop and a column.
type Flag struct {
	Name  string `json:"name"` // such as "drop"
	Value string `json:"value"`
}
