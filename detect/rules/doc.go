// Package rules holds the detectors, one file each. All lists them.
//
// What always holds:
//
//   - A limit is where most readers agree that something is wrong, not where some
//     do; its source is next to it. Findings that nobody would act on teach
//     people to look away.
//   - Tests and generated files are left alone: they are long and repetitive by
//     nature.
//   - The message says what was measured, the advice what to do.
package rules

import "github.com/topo-dev/topo/detect"

// All lists the detectors, sorted by ID. To add one, write its file and its
// testdata/<id>.txtar and add it here.
func All() []detect.Detector {
	return []detect.Detector{
		CognitiveComplexity(25, 50, 100),
		CyclomaticComplexity(40, 80),
		DeepNesting(6, 8),
		GodType(40, 1000),
		HubWithoutTests(12, 10),
		ImportCycle(),
		LargeFile(2000, 5000),
		LongFunction(150, 400),
		LongParameterList(8, 12),
		UnstableHotspot(12, 150, 10),
		UnusedFunction(),
	}
}

// Lookup finds the detectors of these IDs; none means all.
func Lookup(ids []string) ([]detect.Detector, error) {
	if len(ids) == 0 {
		return All(), nil
	}
	var out []detect.Detector
	for _, id := range ids {
		d, err := lookup(id)
		if err != nil {
			return nil, err
		}
		out = append(out, d)
	}
	return out, nil
}
