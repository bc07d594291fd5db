package models

func init() {
	sml, err := Lookup("sml")
	if err != nil {
		panic(err)
	}
	sml.Name = "sml-de"
	sml.Title = "SML-DE"
	sml.Summary = "deep ensemble of 5 networks trained with the second-moment loss"
	sml.Source = "the authors' notebook"
	sml.Members = 5
	sml.Member = "sml"
	sml.Combine = GaussianMixture
	Register(sml)
}
