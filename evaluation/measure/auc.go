package measure

var auc = Measure{
	Name: "auc", Title: "AUC",
	Summary:    "area under the ROC curve: the probability that a row of a class has a higher probability of it than a row of another class",
	Formula:    "P(p of a row of the class > p of another row), ties counting half",
	Convention: "of two classes, of the second; of more, the mean over all classes that some rows are of and others not, each against the rest",
	Source:     "scikit-learn, roc_auc_score(multi_class=\"ovr\", average=\"macro\"); Fawcett (2006), An introduction to ROC analysis",
	Unit:       None, Higher: true, Needs: []Part{Probabilities},
	Of: func(c *Column) float64 {
		p, _ := c.classProbabilities(0)
		if len(p) == 2 {
			return c.classAUC(1)
		}
		sum, n := 0.0, 0
		for class := range p {
			if c.separates(class) {
				sum += c.classAUC(class)
				n++
			}
		}
		return sum / float64(n)
	},
}

// hasBoth reports whether some rows with a weight are of a class, and some are not.
func (c *Column) separates(class int) bool {
	in, out := false, false
	for row, y := range c.Y {
		if c.weightOf(row) > 0 {
			in, out = in || int(y) == class, out || int(y) != class
		}
	}
	return in && out
}

// aucOf returns the area under the curve that tells the rows of a class from all others.
func (c *Column) classAUC(class int) float64 {
	var own, others, ownWeights, otherWeights []float64
	for row, y := range c.Y {
		p, _ := c.classProbabilities(row)
		if int(y) == class {
			own, ownWeights = append(own, p[class]), append(ownWeights, c.weightOf(row))
		} else {
			others, otherWeights = append(others, p[class]), append(otherWeights, c.weightOf(row))
		}
	}
	return AUROC(others, own, otherWeights, ownWeights)
}
