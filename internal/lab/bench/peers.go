package main

import "os/exec"

// peer is a program to compare with.
type peer struct {
	name    string
	program string
	install string // what to do when it is missing
	path    string // where it is; empty when missing
}

type peerList []peer

// findPeers looks for every peer on PATH.
func findPeers() peerList {
	const zoekt = "git clone https://github.com/sourcegraph/zoekt && cd zoekt && go install ./cmd/zoekt ./cmd/zoekt-index"
	ps := peerList{
		{name: "rg", program: "rg", install: "apt-get install ripgrep"},
		{name: "ctags", program: "ctags", install: "apt-get install universal-ctags"},
		{name: "zoekt-index", program: "zoekt-index", install: zoekt},
		{name: "zoekt", program: "zoekt", install: zoekt},
		{name: "repomix", program: "repomix", install: "npm install -g repomix"},
	}
	for i := range ps {
		ps[i].path, _ = exec.LookPath(ps[i].program)
	}
	return ps
}

func (ps peerList) path(name string) string {
	for _, p := range ps {
		if p.name == name {
			return p.path
		}
	}
	return ""
}

// missing says for each peer that is not there how to install it.
func (ps peerList) missing() []string {
	var out []string
	for _, p := range ps {
		if p.path == "" {
			out = append(out, p.name+" is not installed: "+p.install)
		}
	}
	return out
}
