package measure

var auc = Measure{
	Name:           "auc",
	Title:          "AUC",
	Summary:        "area under the ROC curve: the probability that a row of a class has a higher predicted probability of this class than a row of another class",
	Formula:        "P(p of a row of the class > p of another row); ties count half",
	Convention:     "for two classes, the area of the second; for more, the mean area of each against all others. Classes that no row or every row has do not count",
	Source:         "scikit-learn, roc_auc_score(multi_class=\"ovr\", average=\"macro\"); Fawcett (2006), An introduction to ROC analysis",
	Unit:           None,
	HigherIsBetter: true,
	Needs:          []Part{Probabilities},
	Compute:        (*Column).areaUnderROC,
}

// areaUnderROC returns the area of the second of two classes, or the mean of the areas of more classes,
// each against all others. It is NaN if all rows have the same class.
func (c *Column) areaUnderROC() float64 {
	probabilities, _ := c.classProbabilities(0)
	if len(probabilities) == 2 {
		return c.classAUC(1)
	}
	sum := 0.0
	count := 0 // number of classes with an area
	for class := range probabilities {
		if c.separates(class) {
			sum += c.classAUC(class)
			count++
		}
	}
	return sum / float64(count)
}

// separates reports whether some rows with a weight above 0 have the class and some do not. Otherwise
// the class has no ROC curve.
func (c *Column) separates(class int) bool {
	hasClass := false
	hasOther := false
	for row, y := range c.Y {
		if c.Weight(row) > 0 {
			hasClass = hasClass || int(y) == class
			hasOther = hasOther || int(y) != class
		}
	}
	return hasClass && hasOther
}

// classAUC returns the area under the ROC curve of a class against all others, by the predicted
// probability of the class.
func (c *Column) classAUC(class int) float64 {
	var inClass, outside []float64 // probabilities of the class for rows of the class, and for others
	var inClassWeights, outsideWeights []float64
	for row, y := range c.Y {
		probabilities, _ := c.classProbabilities(row)
		if int(y) == class {
			inClass = append(inClass, probabilities[class])
			inClassWeights = append(inClassWeights, c.Weight(row))
		} else {
			outside = append(outside, probabilities[class])
			outsideWeights = append(outsideWeights, c.Weight(row))
		}
	}
	return AUROC(outside, inClass, outsideWeights, inClassWeights)
}
