//go:build !linux

package scan

import (
	"fmt"
	"os"
	"reflect"
)

// fileIdentity tells a folder from all others of the machine: by its inode where
// the system has one, else by its path.
func fileIdentity(dir string) string {
	info, err := os.Stat(dir)
	if err != nil {
		return dir
	}
	sys := reflect.Indirect(reflect.ValueOf(info.Sys()))
	if sys.Kind() == reflect.Struct {
		if ino := sys.FieldByName("Ino"); ino.IsValid() && ino.CanUint() {
			return fmt.Sprintf("inode %d", ino.Uint())
		}
	}
	return dir
}
