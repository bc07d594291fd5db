package summary

import "context"

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
	{Constant, describing(Input, describeConstant, dropFlag), "it adds nothing that is known"},
	{Counter, describing(Input, describeCounter, dropFlag), "if it is no more than the number of a row"},
	{Code, describing(Input, describeCode, naFlag), "if it stands for a missing value"},
	{Identifier, describing(Input, describeIdentifier, dropFlag), "rows to predict have other numbers"},
	{Future, describing(Input, describeFuture), "if the dates are no plans, correct them or write empty fields"},
	{FarDate, describing(Input, describeFarDate), "if it stands for a missing date or is a mistake, write an empty field in its place"},
	{Far, describing(Input, describeFar), "look whether it is a mistake; if not, its logarithm may be the better input"},
	{Time, findTime, "to predict what comes later, test on what comes later"},
	{Groups, findGroups, "to predict others than these, keep each on one side"},
	{Neighbours, findNeighbours, "test rows at random flatter; a column of their times or groups would allow --split time or --split group"},
	{Names, findNames, "declare them"},
	{Code, describing(Target, describeCode, naFlag), "if it stands for a missing value"},
	{Inflated, describing(Target, describeSpike), SpikeAdvice},
	{ManyClasses, describing(Target, describeManyClasses), "a class needs several rows; if they are numbers, write them without signs and units"},
	{FewValues, describing(Target, describeFewValues), "σ and intervals speak of a continuous target; if the values are classes: --method classes"},
	{Skewed, describing(Target, describeSkewness, transformFlag), "transform it"},
	{Copies, findCopies, "copies on both sides of a split flatter; take out what is no measurement of its own: --drop-duplicates"},
}

// valueKinds are the kinds of suspicions about the values of a column that explain all others: only the first is told.
var valueKinds = []Kind{Constant, Counter, Code, Identifier, Future, FarDate, Far, FarTarget}

// SpikeAdvice describes the effect of a value in many rows on intervals, and methods without the effect.
const SpikeAdvice = "intervals of these rows are wider than needed, since a density has no room for one exact value; " +
	"--method quantiles predicts quantiles without a density, and --method classes whether a row has the value"

// apply applies rules in their order. It returns an error only if ctx ends.
func (t *inspection) apply(ctx context.Context, rules []rule) error {
	for _, r := range rules { // some take seconds for a large table
		if err := ctx.Err(); err != nil {
			return err
		}
		for _, s := range r.find(t) {
			s.Kind = r.kind
			s.Advice = r.advice
			t.found = append(t.found, s)
		}
	}
	t.joinCodes()
	return nil
}

// describing returns the function of a rule that describes each column of a role by itself; "" is no suspicion. flags
// make the flags that follow the advice.
func describing(role Role, describe func(t *inspection, c *Column) string, flags ...func(c *Column) Flag) func(t *inspection) []Suspicion {
	return func(t *inspection) (found []Suspicion) {
		columns := t.inputs
		if role == Target {
			columns = t.targets
		}
		for _, c := range columns {
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

// graveKinds are the kinds of suspicions of rules that spoil a model or its scores, the gravest first.
var graveKinds = []Kind{FilledRows, LikeTarget, Combination, Code}
