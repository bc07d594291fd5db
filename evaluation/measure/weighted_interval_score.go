package measure

var weightedIntervalScore = Measure{
	Name:       "wis",
	Title:      "WIS",
	Summary:    "weighted interval score: of the median and of the central intervals with 11 coverages",
	Formula:    "2 mean max(τ(y − q), (τ − 1)(y − q)), over rows and the quantiles q at τ = 0.01, 0.025, 0.05, 0.1, …, 0.95, 0.975, 0.99",
	Convention: "this mean equals the weighted sum of interval scores. It approximates the CRPS by 23 quantiles, as forecast hubs do",
	Source:     "Bracher, Ray, Gneiting & Reich (2021), Evaluating epidemic forecasts in an interval format, eq. 1 and 2",
	Unit:       Target,
	Needs:      []Part{CDF},
	OnRequest:  true,
	Compute:    func(c *Column) float64 { return 2 * c.meanPinballLoss(hubLevels()) },
}

// hubLevels returns the quantile levels of the forecast hubs: 0.01, 0.025, 0.05, 0.1, …, 0.9, 0.95, 0.975 and 0.99.
func hubLevels() []float64 {
	levels := []float64{0.01, 0.025}
	for percent := 5; percent <= 95; percent += 5 {
		levels = append(levels, float64(percent)/100)
	}
	return append(levels, 0.975, 0.99)
}
