package summary

// rule looks for one kind of suspicions.
type rule struct {
	kind   Kind
	find   func(t *inspection) []Suspicion // without kind and advice
	advice string                          // what the user can do; the flags of the suspicion follow
}

// rules has all rules in the order in which they are applied: a rule may read what the rules before it have found.
var rules = []rule{
	{FilledRows, findFilledRows, "if these rows were filled in and not measured, leave them out"},
	{LikeTarget, findGiveaways, "it gives the target away unless it is known when you predict"},
	{Combination, findCombinations, "together they give the target away unless they are known when you predict"},
	{Strong, findStrong, "no leak if it is known when you predict"},
	{Duplicate, findDuplicates, "it adds nothing that is known"},
	{Constant, ofInputs(describeConstant, dropFlag), "it adds nothing that is known"},
	{Counter, ofInputs(describeCounter, dropFlag), "if it is no more than the number of a row"},
	{Code, ofInputs(describeCode), "write an empty field in its place if it stands for a missing value"},
	{Identifier, ofInputs(describeIdentifier, dropFlag), "rows to predict have other numbers"},
	{Future, ofInputs(describeFuture), "if the dates are no plans, correct them or write empty fields"},
	{FarDate, ofInputs(describeFarDate), "if it stands for a missing date or is a mistake, write an empty field in its place"},
	{Far, ofInputs(describeFar), "look whether it is a mistake; if not, its logarithm may be the better input"},
	{Time, findTime, "to predict what comes later, test on what comes later"},
	{Groups, findGroups, "to predict others than these, keep each on one side"},
	{Neighbours, findNeighbours, "test rows at random flatter; a column of their times or groups would allow --split time or --split group"},
	{Names, findNames, "declare them"},
	{Code, ofTargets(describeTargetCode), "write an empty field in its place if it stands for a missing value"},
	{Inflated, ofTargets(describeSpike), SpikeAdvice},
	{FewValues, ofTargets(describeFewValues), "σ and intervals speak of a continuous target; if the values are classes: --method classes"},
	{Skewed, findSkewed, "transform it"},
	{Copies, findCopies, "copies on both sides of a split flatter; take out what is no measurement of its own"},
}

// valueKinds are the kinds of suspicions about the values of an input. Only the first one is told.
var valueKinds = []Kind{Constant, Counter, Code, Identifier, Future, FarDate, Far}

// SpikeAdvice describes the effect of a value in many rows on intervals, and methods without the effect.
const SpikeAdvice = "intervals of these rows are wider than needed, since a density has no room for one exact value; " +
	"--method quantiles predicts quantiles without a density, and --method classes whether a row has the value"

// apply applies the rule and adds what it finds.
func (r rule) apply(t *inspection) {
	for _, s := range r.find(t) {
		s.Kind = r.kind
		s.Advice = r.advice
		t.found = append(t.found, s)
	}
}

// ofInputs returns what a rule finds that describes the values of each input by itself; "" is no suspicion. flags
// make the flags that follow the advice.
func ofInputs(describe func(t *inspection, c *Column) string, flags ...func(c *Column) Flag) func(t *inspection) []Suspicion {
	return func(t *inspection) (found []Suspicion) {
		for _, c := range t.inputs {
			if t.suspects(c, valueKinds...) {
				continue
			}
			says := describe(t, c)
			if says == "" {
				continue
			}
			s := about(c, says)
			for _, flag := range flags {
				s.Flags = append(s.Flags, flag(c))
			}
			found = append(found, s)
		}
		return found
	}
}

// ofTargets returns what a rule finds that describes the values of each target by itself; "" is no suspicion.
func ofTargets(describe func(t *inspection, y *Column) string) func(t *inspection) []Suspicion {
	return func(t *inspection) (found []Suspicion) {
		for _, y := range t.targets {
			says := describe(t, y)
			if says != "" {
				found = append(found, about(y, says))
			}
		}
		return found
	}
}
