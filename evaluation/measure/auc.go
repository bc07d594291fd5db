package measure

var auc = Measure{
	Name: "auc", Title: "AUC",
	Summary:    "area under the ROC curve: the probability that a row of a class has a higher probability of it than a row of another class",
	Formula:    "P(p of a row of the class > p of another row); ties count half",
	Convention: "of two classes, the second; of more, the mean over classes, each against the rest",
	Source:     "scikit-learn, roc_auc_score(multi_class=\"ovr\", average=\"macro\"); Fawcett (2006), An introduction to ROC analysis",
	Unit:       None, HigherIsBetter: true, Needs: []Part{Probabilities},
	Compute: func(c *Column) float64 {
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

// separates reports whether some rows with a weight above 0 have the class and some do not.
func (c *Column) separates(class int) bool {
	hasClass, hasOther := false, false
	for row, y := range c.Y {
		if c.weightOf(row) > 0 {
			hasClass = hasClass || int(y) == class
			hasOther = hasOther || int(y) != class
		}
	}
	return hasClass && hasOther
}

// classAUC returns the area under the ROC curve of a class against all others, by the predicted
// probability of the class.
func (c *Column) classAUC(class int) float64 {
	var own, others, ownWeights, otherWeights []float64
	for row, y := range c.Y {
		p, _ := c.classProbabilities(row)
		if int(y) == class {
			own = append(own, p[class])
			ownWeights = append(ownWeights, c.weightOf(row))
		} else {
			others = append(others, p[class])
			otherWeights = append(otherWeights, c.weightOf(row))
		}
	}
	return AUROC(others, own, otherWeights, ownWeights)
}
