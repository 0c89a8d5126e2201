package stream

import (
	"encoding/json"
	"testing"
)

type place struct{ Symbol, Path string }

func (place) RecordKind() string { return "symbol" }

type nothing struct{}

func (*nothing) RecordKind() string { return "a \"b\"" }

func TestMarshalNamesTheKind(t *testing.T) {
	for _, tt := range []struct {
		v    any
		want string
	}{
		{place{"a<b>", "x.go"}, `{"Record":"symbol","Symbol":"a<b>","Path":"x.go"}`},
		{&nothing{}, `{"Record":"a \"b\""}`},
		{nothing{}, `{}`},
		{Footer{TotalFiles: 1}, `{"TotalFiles":1,"TotalTokens":0,"ScannedFiles":0}`},
		{[]place{{"a", "b"}}, `[{"Symbol":"a","Path":"b"}]`},
	} {
		got, err := Marshal(tt.v)
		if err != nil || string(got) != tt.want || !json.Valid(got) {
			t.Errorf("Marshal(%#v) = %s, %v; want %s", tt.v, got, err, tt.want)
		}
	}
}

// The name tells the kind, whatever keys there are; earlier versions wrote none.
func TestKind(t *testing.T) {
	for line, want := range map[string]Kind{
		`{"Record":"symbol","Symbol":"f","Path":"x.go"}`:      KindSymbol,
		`{"Symbol":"f","Path":"x.go","From":"y.go"}`:          KindSymbol,
		`{"Record":"finding","Detector":"d","Symbol":"f"}`:    KindFinding,
		`{"Detector":"d","Symbol":"f","Path":"x.go"}`:         KindFinding,
		`{"Event":"done","Version":1}`:                        KindEvent,
		`{"Record":"event","Event":"session","Version":1}`:    KindEvent,
		`{"From":"a","To":"b"}`:                               KindEdge,
		`{"Record":"explanation","Path":"x.go","Signals":[]}`: KindOther,
		`{"Record":"of tomorrow","Path":"x.go"}`:              KindOther,
		`{"Path":"x.go","Record": "hotspot" }`:                KindFile,
		`{"Path":"x.go","Record":1}`:                          KindFile,
		`{"Path":"x.go"}`:                                     KindFile,
		`{"Version":"0.3","Query":""}`:                        KindHeader,
		`{"TotalFiles":1}`:                                    KindFooter,
	} {
		r, err := parseRecord([]byte(line))
		if err != nil || r.Kind != want {
			t.Errorf("%s: kind %d, %v; want %d", line, r.Kind, err, want)
		}
	}
}
