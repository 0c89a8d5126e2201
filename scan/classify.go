package scan

import "github.com/topo-dev/topo"

func classify(path string, head []byte) (string, topo.Role) { return "", topo.RoleOther }
