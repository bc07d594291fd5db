package fetch

import (
	"fmt"
	"slices"
	"strings"
)

// uci returns the address of an archive of the UCI Machine Learning Repository.
func uci(file string) string { return "https://archive.ics.uci.edu/static/public/" + file }

// oldUCI returns the address that a file of the repository had before 2023. It is tried if the newer
// address fails.
func oldUCI(file string) string {
	return "https://archive.ics.uci.edu/ml/machine-learning-databases/" + file
}

// words splits a text at blanks.
func words(text string) []string { return strings.Fields(text) }

// init registers the origins of the paper's data sets.
func init() {
	for _, o := range benchmarks() {
		Register(o)
	}
}

// benchmarks returns the origins of the paper's data sets, in the order of the paper's table.
func benchmarks() []Origin {
	yacht := File{
		Fields: words("longitudinal_position prismatic_coefficient length_displacement_ratio beam_draught_ratio length_beam_ratio froude_number residuary_resistance"),
	}
	diabetes := File{Delimiter: "\t", Skip: 1, Fields: words("age sex bmi bp s1_tc s2_ldl s3_hdl s4_tch s5_ltg s6_glu progression")}
	boston := File{Fields: words("crim zn indus chas nox rm age dis rad tax ptratio b lstat medv")}
	concrete := File{
		Skip:   1,
		Fields: words("cement blast_furnace_slag fly_ash water superplasticizer coarse_aggregate fine_aggregate age compressive_strength"),
	}
	energy := File{
		Skip:   1,
		Fields: append(words("relative_compactness surface_area wall_area roof_area overall_height orientation glazing_area glazing_area_distribution"), "", "cooling_load"),
	}
	wine := File{
		Delimiter: ";", Skip: 1, Named: true,
		Fields: words("fixed_acidity volatile_acidity citric_acid residual_sugar chlorides free_sulfur_dioxide total_sulfur_dioxide density ph sulphates alcohol quality"),
	}
	abalone := File{
		Delimiter: ",",
		Fields:    append([]string{""}, words("length diameter height whole_weight shucked_weight viscera_weight shell_weight rings")...),
	}
	power := File{Skip: 1, Named: true, Fields: words("at v ap rh pe")}
	naval := File{
		Fields: append(words("lever_position ship_speed gt_shaft_torque gt_rate_of_revolutions gg_rate_of_revolutions starboard_propeller_torque port_propeller_torque "+
			"hp_turbine_exit_temperature gt_compressor_inlet_air_temperature gt_compressor_outlet_air_temperature hp_turbine_exit_pressure "+
			"gt_compressor_inlet_air_pressure gt_compressor_outlet_air_pressure gt_exhaust_gas_pressure turbine_injection_control fuel_flow"), "", "gt_turbine_decay"),
	}
	california := File{
		Delimiter: ",", Derive: deriveCalifornia,
		Fields: words("longitude latitude house_age rooms bedrooms population households med_inc value"),
		Inputs: words("med_inc house_age ave_rooms ave_bedrms population ave_occup latitude longitude"),
	}
	superconduct := File{Delimiter: ",", Skip: 1, Named: true, Fields: elements()}
	protein := File{
		Delimiter: ",", Skip: 1,
		Fields: words("rmsd f1_total_surface_area f2_nonpolar_exposed_area f3_fractional_area_exposed_nonpolar_residue f4_fractional_area_exposed_nonpolar_part " +
			"f5_molecular_mass_weighted_exposed_area f6_average_deviation_exposed_area f7_euclidean_distance f8_secondary_structure_penalty f9_spatial_distribution_constraints"),
	}
	year := File{Delimiter: ",", Fields: timbres(), MaxSize: 512 << 20}

	return []Origin{
		{"yacht", "https://archive.ics.uci.edu/dataset/243", []File{
			yacht.withSource(uci("243/yacht+hydrodynamics.zip"), "yacht_hydrodynamics.data"),
			yacht.withSource(oldUCI("00243/yacht_hydrodynamics.data"), ""),
		}},
		{"diabetes", "https://www4.stat.ncsu.edu/~boos/var.select/diabetes.html", []File{
			diabetes.withSource("https://www4.stat.ncsu.edu/~boos/var.select/diabetes.tab.txt", ""),
			diabetes.withSource("https://hastie.su.domains/Papers/LARS/diabetes.data", ""),
		}},
		{"boston", "https://lib.stat.cmu.edu/datasets/", []File{
			boston.inStatLibFormat().withSource("https://lib.stat.cmu.edu/datasets/boston", ""),
			boston.withSource(oldUCI("housing/housing.data"), ""),
		}},
		{"energy", "https://archive.ics.uci.edu/dataset/242", []File{
			energy.withSource(uci("242/energy+efficiency.zip"), "ENB2012_data.xlsx"),
			energy.withSource(oldUCI("00242/ENB2012_data.xlsx"), ""),
		}},
		{"concrete", "https://archive.ics.uci.edu/dataset/165", []File{
			concrete.withSource(uci("165/concrete+compressive+strength.zip"), "Concrete_Data.xls"),
			concrete.withSource(oldUCI("concrete/compressive/Concrete_Data.xls"), ""),
		}},
		{"wine-red", "https://archive.ics.uci.edu/dataset/186", []File{
			wine.withSource(uci("186/wine+quality.zip"), "winequality-red.csv"),
			wine.withSource(oldUCI("wine-quality/winequality-red.csv"), ""),
		}},
		{"abalone", "https://archive.ics.uci.edu/dataset/1", []File{
			abalone.withSource(uci("1/abalone.zip"), "abalone.data"),
			abalone.withSource(oldUCI("abalone/abalone.data"), ""),
		}},
		{"power", "https://archive.ics.uci.edu/dataset/294", []File{
			power.withSource(uci("294/combined+cycle+power+plant.zip"), "Folds5x2_pp.xlsx"),
			power.withSource(oldUCI("00294/CCPP.zip"), "Folds5x2_pp.xlsx"),
		}},
		{"naval", "https://archive.ics.uci.edu/dataset/316", []File{
			naval.withSource(uci("316/condition+based+maintenance+of+naval+propulsion+plants.zip"), "data.txt"),
			naval.withSource(oldUCI("00316/UCI%20CBM%20Dataset.zip"), "data.txt"),
		}},
		{"california", "https://www.dcc.fc.up.pt/~ltorgo/Regression/cal_housing.html", []File{
			california.withSource("https://www.dcc.fc.up.pt/~ltorgo/Regression/cal_housing.tgz", "cal_housing.data"),
			california.withSource("https://ndownloader.figshare.com/files/5976036", "cal_housing.data"),
		}},
		{"superconduct", "https://archive.ics.uci.edu/dataset/464", []File{
			superconduct.withSource(uci("464/superconductivty+data.zip"), "train.csv"), // the address is misspelt
		}},
		{"protein", "https://archive.ics.uci.edu/dataset/265", []File{
			protein.withSource(uci("265/physicochemical+properties+of+protein+tertiary+structure.zip"), "CASP.csv"),
			protein.withSource(oldUCI("00265/CASP.csv"), ""),
		}},
		{"year", "https://archive.ics.uci.edu/dataset/203", []File{
			year.withSource(uci("203/yearpredictionmsd.zip"), "YearPredictionMSD.txt"),
			year.withSource(oldUCI("00203/YearPredictionMSD.txt.zip"), "YearPredictionMSD.txt"),
		}},
	}
}

// withSource returns a copy of the file with another address and another member of its archive.
func (f File) withSource(url, member string) File {
	f.URL = url
	f.Member = member
	return f
}

// inStatLibFormat returns a copy of the file in StatLib's format: 22 lines of description, then two
// lines for each sample.
func (f File) inStatLibFormat() File {
	f.Skip = 22
	f.Lines = 2
	return f
}

// deriveCalifornia returns the sample of a census block, the inputs and then the target, from the fields
// of the archive's file. It divides the counts by the households, and the value in dollars by 100,000,
// as scikit-learn's fetch_california_housing does.
func deriveCalifornia(fields []float64) []float64 {
	longitude := fields[0]
	latitude := fields[1]
	age := fields[2]
	rooms := fields[3]
	bedrooms := fields[4]
	population := fields[5]
	households := fields[6]
	income := fields[7]
	value := fields[8]
	return []float64{
		income,
		age,
		rooms / households,
		bedrooms / households,
		population,
		population / households,
		latitude,
		longitude,
		value / 100000,
	}
}

// elements returns the columns of superconduct: statistics of the chemical elements of a material
// (Hamidieh 2018, table 2).
func elements() []string {
	names := []string{"number_of_elements"}
	for _, property := range words("atomic_mass fie atomic_radius density electron_affinity fusion_heat thermal_conductivity valence") {
		for _, statistic := range words("mean wtd_mean gmean wtd_gmean entropy wtd_entropy range wtd_range std wtd_std") {
			names = append(names, statistic+"_"+property)
		}
	}
	return append(names, "critical_temp")
}

// timbres returns the columns of year: the year, 12 averages and 78 covariances.
func timbres() []string {
	names := []string{"year"}
	for i := range 12 {
		names = append(names, fmt.Sprintf("timbre_average_%d", i+1))
	}
	for i := range 78 {
		names = append(names, fmt.Sprintf("timbre_covariance_%d", i+1))
	}
	return slices.Clip(names)
}
