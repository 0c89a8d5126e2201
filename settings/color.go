package settings

// The values of setting color.
const (
	ColorAuto   = "auto" // where the output is a terminal
	ColorAlways = "always"
	ColorNever  = "never"
)

// Colors are the values of setting color.
func Colors() []string { return []string{ColorAuto, ColorAlways, ColorNever} }

// colorOf is what the environment says of colour. NO_COLOR counts when it holds
// anything (no-color.org); the two others count unless they are 0.
func colorOf(lookup func(string) (string, bool)) (value, variable string) {
	if v, _ := lookup("NO_COLOR"); v != "" {
		return ColorNever, "NO_COLOR"
	}
	for _, name := range []string{"FORCE_COLOR", "CLICOLOR_FORCE"} {
		if v, _ := lookup(name); v != "" && v != "0" {
			return ColorAlways, name
		}
	}
	return "", ""
}
