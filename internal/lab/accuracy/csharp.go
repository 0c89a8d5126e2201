package main

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
)

//go:embed oracle/CSharpCalls.cs
var roslynScript []byte

// askRoslyn asks Roslyn, of imports and calls, about the folders that the
// pattern src names. The flags go to the script.
func askRoslyn(ctx context.Context, root, src string, flags []string, temp string) (*oracleAnswer, error) {
	dirs, err := foldersLike(root, src)
	if err != nil {
		return nil, err
	}
	sdk, err := newestDotnet(ctx, "--list-sdks")
	if err != nil {
		return nil, err
	}
	roslyn := filepath.Join(sdk, "Roslyn", "bincore")
	program, err := compileRoslynScript(ctx, roslyn, temp)
	if err != nil {
		return nil, err
	}
	args := []string{"exec", "--runtimeconfig", filepath.Join(roslyn, "csc.runtimeconfig.json"), program, roslyn, root}
	text, err := dotnet(ctx, append(append(args, dirs...), flags...)...)
	if err != nil {
		return nil, err
	}
	s := &oracleAnswer{}
	return s, json.Unmarshal(text, s)
}

// compileRoslynScript compiles the script with the compiler that it asks later.
func compileRoslynScript(ctx context.Context, roslyn, temp string) (program string, err error) {
	framework, err := newestDotnet(ctx, "--list-runtimes")
	if err != nil {
		return "", err
	}
	references, err := filepath.Glob(filepath.Join(framework, "*.dll"))
	if err != nil || len(references) == 0 {
		return "", fmt.Errorf("%s holds no assembly (%w)", framework, err)
	}
	references = append(references, filepath.Join(roslyn, "Microsoft.CodeAnalysis.dll"), filepath.Join(roslyn, "Microsoft.CodeAnalysis.CSharp.dll"))
	script := filepath.Join(temp, "CSharpCalls.cs")
	if err := os.WriteFile(script, roslynScript, 0o600); err != nil {
		return "", err
	}
	program = filepath.Join(temp, "CSharpCalls.dll")
	args := []string{filepath.Join(roslyn, "csc.dll"), "-nologo", "-w:0", "-langversion:latest", "-out:" + program, script}
	for _, r := range references {
		args = append(args, "-r:"+r)
	}
	_, err = dotnet(ctx, args...)
	return program, err
}

// dotnetLine is a line of the SDKs, or of the runtimes, that dotnet lists. Other
// frameworks than the base do not match.
var dotnetLine = regexp.MustCompile(`(?m)^(?:Microsoft\.NETCore\.App )?(\S+) \[(.+)\]\r?$`)

// newestDotnet is the folder of the last SDK or runtime that dotnet lists.
func newestDotnet(ctx context.Context, list string) (string, error) {
	text, err := dotnet(ctx, list)
	if err != nil {
		return "", err
	}
	all := dotnetLine.FindAllStringSubmatch(string(text), -1)
	if len(all) == 0 {
		return "", fmt.Errorf("dotnet %s lists none: install the .NET SDK, not the runtime alone", list)
	}
	last := all[len(all)-1]
	return filepath.Join(last[2], last[1]), nil
}

// dotnet runs dotnet without the libraries of the locale, which need not be here.
func dotnet(ctx context.Context, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "dotnet", args...)
	cmd.Env = append(os.Environ(), "DOTNET_SYSTEM_GLOBALIZATION_INVARIANT=1", "DOTNET_NOLOGO=1", "DOTNET_CLI_TELEMETRY_OPTOUT=1")
	text, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		err = fmt.Errorf("dotnet: %w: %s", err, bytes.TrimSpace(append(text, exit.Stderr...)))
	}
	return text, err
}
