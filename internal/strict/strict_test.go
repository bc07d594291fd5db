package strict

import (
	"encoding/json"
	"strings"
	"testing"
)

type inner struct {
	Width int     `json:"width"`
	Rate  float64 `json:"rate,omitempty"`
}

type base struct {
	Method string `json:"method"`
}

type outer struct {
	Format int `json:"format"`
	base
	List  []inner            `json:"list"`
	Map   map[string]float64 `json:"map,omitempty"`
	Raw   json.RawMessage    `json:"raw,omitempty"`
	Pair  [2]int             `json:"pair,omitempty"`
	Share *float64           `json:"share,omitempty"`
	Own   own                `json:"own,omitempty"`
}

// own decodes itself.
type own float64

func (o *own) UnmarshalJSON([]byte) error { *o = 7; return nil }

func TestUnmarshal(t *testing.T) {
	var v outer
	text := `{"format":1,"method":"sml","list":[{"width":3},{"width":4,"rate":0.5}],"map":{"a":1,"A":2},"raw":{"x":[1,null]},"pair":[1,2],"share":null,"own":"any"}` + " \n"
	if err := Unmarshal([]byte(text), &v); err != nil {
		t.Fatal(err)
	}
	if v.Format != 1 || v.Method != "sml" || len(v.List) != 2 || v.List[1].Rate != 0.5 || v.Map["A"] != 2 || string(v.Raw) != `{"x":[1,null]}` || v.Pair[1] != 2 || v.Own != 7 {
		t.Errorf("%+v", v)
	}
	if err := Unmarshal([]byte(`{"format":1,"method":"","list":null}`), &v); err != nil {
		t.Errorf("a list that is nil: %v", err)
	}
	object := make(map[string]json.RawMessage)
	if err := Unmarshal([]byte(`{"a":{"b":1}}`), &object); err != nil || string(object["a"]) != `{"b":1}` {
		t.Errorf("%v, %v", object, err)
	}
}

func TestUnmarshalRefuses(t *testing.T) {
	for text, want := range map[string]string{
		``:                              "line 1: unexpected end",
		"{\n\"format\": x":              "line 2: invalid character 'x'",
		`{"format":1} {}`:               "line 1: invalid character '{' after top-level value",
		"{\"format\":1}\n\x00":          "line 2: invalid character",
		"{\n\"colour\":1}":              `line 2: unknown key "colour": there is format, method, list`,
		`{"Format":1}`:                  `unknown key "Format"`,
		"{\"format\":1,\n\"format\":2}": `line 2: key "format" is there twice`,
		`{"format":1,"method":"a","list":[],"map":{"a":1,"a":2}}`:   `key "a" is there twice`,
		`{"format":1,"method":"a","list":[],"raw":[{"a":1,"a":2}]}`: `key "a" is there twice`,
		`{"format":1,"method":"a","list":[],"own":{"a":1,"a":2}}`:   `key "a" is there twice`,
		"{\"format\":1,\n\"method\":\"a\"\n\n}":                     `line 4: key "list" is missing in the value`,
		`{"format":1,"method":"a","list":[{"rate":1}]}`:             `key "width" is missing in an element of key "list"`,
		`{"format":null,"method":"a","list":[]}`:                    `key "format" is null; want a whole number`,
		`{"format":1,"method":"a","list":[null]}`:                   `an element of key "list" is null; want an object`,
		`{"format":1,"method":"a","list":[],"map":{"a":null}}`:      `key "a" is null; want a number`,
		`{"format":1.5,"method":"a","list":[]}`:                     `want a whole number`,
		`{"format":1e99,"method":"a","list":[]}`:                    `want a whole number`,
		`{"format":1,"method":2,"list":[]}`:                         `key "method" is 2; want a text`,
		`{"format":1,"method":"a","list":{}}`:                       `want a list`,
		`{"format":1,"method":"a","list":[{"width":"3"}]}`:          `want a whole number`,
		`{"format":1,"method":"a","list":[],"pair":[1]}`:            `key "pair" has 1 elements; want 2`,
		`{"format":1,"method":"a","list":[],"pair":[1,2,3]}`:        `key "pair" has 3 elements; want 2`,
		`[]`:                              `want an object`,
		`null`:                            `the value is null; want an object`,
		strings.Repeat("[", 100_000):      "line 1: ",
		strings.Repeat(`{"raw":`, 20_000): "line 1: ",
	} {
		var v outer
		if err := Unmarshal([]byte(text), &v); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%.60q: %v does not say %q", text, err, want)
		}
	}
}

// What encoding/json writes of a value is read again.
func TestUnmarshalReadsWhatIsWritten(t *testing.T) {
	text, err := json.MarshalIndent(outer{Format: 1, base: base{"sml"}}, "", " ")
	if err != nil {
		t.Fatal(err)
	}
	var v outer
	if err := Unmarshal(text, &v); err != nil || v.Method != "sml" {
		t.Errorf("%s\n%+v, %v", text, v, err)
	}
}
