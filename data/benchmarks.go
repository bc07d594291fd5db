package data

const (
	ccBy       = "CC BY 4.0 (UCI)"
	noneStated = "none stated at the source"

	thePaper    = "A Novel Regression Loss for Non-Parametric Uncertainty Optimization"
	theNotebook = "the notebook of the authors of " + thePaper
)

// benchmarks are the data sets of the paper, in the order of its table. The table gives diabetes 7
// features; the data set that the authors' code loads has 10.
var benchmarks = []Dataset{
	{Name: "yacht", Rows: 308, Features: 6, Target: "residuary_resistance",
		Meaning: "residuary resistance per unit weight of displacement",
		Source:  "UCI 243, Yacht Hydrodynamics", Licence: ccBy,
		Checksum: "f809987547a2f6dd53eebf2e4362675d10567b2fbee2d59ed4fa30ee91bcc0db"},
	{Name: "diabetes", Rows: 442, Features: 10, Target: "progression",
		Meaning: "disease progression after one year, score",
		Source:  "Efron, Hastie, Johnstone, Tibshirani (2004), Least Angle Regression", Remarks: "all 10 features of the source; the paper's table has 7",
		Licence:  noneStated,
		Checksum: "0494c32b955dd78d599b34761d60a23d305feda6231e9c52d370e754113862a4"},
	{Name: "boston", Rows: 506, Features: 13, Target: "medv",
		Meaning: "median home value, 1000 USD",
		Source:  "Harrison, Rubinfeld (1978), StatLib", Licence: noneStated,
		Checksum: "1d61d54523132532f41641dd2b6e0b35c1d015bd6247dbd1956e224a28d15e05"},
	{Name: "energy", Rows: 768, Features: 8, Target: "cooling_load",
		Meaning: "cooling load, kWh/m²",
		Source:  "UCI 242, Energy Efficiency", Remarks: "only the cooling load of two targets",
		Licence:  ccBy,
		Checksum: "d1d74b4fa923948ec2ef8396d69817157d80387da445cf526d31cd99a5c5c212"},
	{Name: "concrete", Rows: 1030, Features: 8, Target: "compressive_strength",
		Meaning: "compressive strength, MPa",
		Source:  "UCI 165, Concrete Compressive Strength", Licence: ccBy,
		Checksum: "9f1ec48209035091bb88bdef0a2eb8f31d65c5a90f5e8139872f7eed78801c39"},
	{Name: "wine-red", Rows: 1599, Features: 11, Target: "quality",
		Meaning: "quality, whole-number score",
		Source:  "UCI 186, Wine Quality (red)", Licence: ccBy,
		Checksum: "2238b1c4f4da6771f3bbbbc97ea9d246605ddae4fac944a05024546ebda7606b"},
	{Name: "abalone", Rows: 4177, Features: 7, Target: "rings",
		Meaning: "rings, count",
		Source:  "UCI 1, Abalone", Remarks: "the first column, sex, is left out",
		Licence:    ccBy,
		PaperSkips: 1, // read as a header, hence the 4176 of the paper's table
		Checksum:   "61e93eef2292a44c102f283b44446ce7fe3662b3fa8025df7e980f7d785428bd"},
	{Name: "power", Rows: 9568, Features: 4, Target: "pe",
		Meaning: "net hourly electrical output, MW",
		Source:  "UCI 294, Combined Cycle Power Plant (first sheet)", Licence: ccBy,
		Checksum: "c6137d4ff08a643e549e6b6be48ba71c35416ded8684fd47d5a1e563c3a2a55d"},
	{Name: "naval", Rows: 11934, Features: 16, Target: "gt_turbine_decay",
		Meaning: "gas turbine decay state coefficient",
		Source:  "UCI 316, Condition Based Maintenance of Naval Propulsion Plants", Remarks: "only the turbine of two targets",
		Licence:  ccBy,
		Checksum: "e86bd159160cda9c335befc9e305558ea6e58ccb74003247e1868c48c748d1eb"},
	{Name: "california", Rows: 20640, Features: 8, Target: "med_house_val",
		Meaning: "median house value, 100 000 USD",
		Source:  "Pace, Barry (1997), StatLib cal_housing", Licence: noneStated,
		Checksum: "fcbc0f3482a140fd23ac95fc62a8709d22f505f021b3495d7bd4de96c16a2799"},
	{Name: "superconduct", Rows: 21263, Features: 81, Target: "critical_temp",
		Meaning: "critical temperature, K",
		Source:  "UCI 464, Superconductivity", Licence: ccBy},
	{Name: "protein", Rows: 45730, Features: 9, Target: "rmsd",
		Meaning: "RMSD, angstrom",
		Source:  "UCI 265, Physicochemical Properties of Protein Tertiary Structure", Licence: ccBy,
		Checksum: "ddc608eb3285a8c8ce309bceb05818683f183b788e9c6711f6aaae1e1dd258b3"},
	{Name: "year", Rows: 515345, Features: 90, Target: "year",
		Meaning: "release year of a song",
		Source:  "UCI 203, YearPredictionMSD", Licence: ccBy},
}
