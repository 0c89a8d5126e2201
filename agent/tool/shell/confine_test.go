package shell

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func confined(t *testing.T) Options {
	t.Helper()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	o := options(t)
	o.Confine = &Confinement{Helper: []string{self, helperArg}}
	for _, m := range o.Confine.Missing() {
		if !strings.Contains(m, "sockets of other programs") && !strings.Contains(m, "datagrams") {
			t.Skipf("use a kernel with Landlock, version 6 or later (Linux 6.12): %s", m)
		}
	}
	return o
}

func TestConfined(t *testing.T) {
	o := confined(t)
	outside := t.TempDir()
	secret := filepath.Join(outside, "secret")
	if err := os.WriteFile(secret, []byte("the secret"), 0o644); err != nil {
		t.Fatal(err)
	}
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	_, port, _ := net.SplitHostPort(ln.Addr().String())
	for _, c := range []struct{ name, command, want string }{
		{"writes in the tree", "mkdir -p a b && echo hi > a/f && mv a/f b/g && cat b/g && rm -r a", "hi\n"},
		{"pipes and null", "echo x | cat > /dev/null && echo ok", "ok\n"},
		{"the root", "pwd", o.Dir + "\n"},
	} {
		if out := run(t, o, c.command, 0); out.Text != c.want {
			t.Errorf("%s: %q, want %q", c.name, out.Text, c.want)
		}
	}
	for name, command := range map[string]string{
		"read outside":             "cat " + secret,
		"list outside":             "ls " + outside,
		"write outside":            "echo x > " + outside + "/new",
		"append outside":           "echo x >> " + secret,
		"truncate outside":         "truncate -s 0 " + secret,
		"remove outside":           "rm -f " + secret,
		"move out":                 "echo x > f; mv f " + outside + "/f",
		"link to the outside":      "ln -s " + secret + " l; cat l",
		"hard link of the outside": "ln " + secret + " h; cat h",
		"through a new shell":      "sh -c 'cat " + secret + "'",
		"in the background":        "cat " + secret + " & wait $!",
		"after leaving the group":  "setsid --wait cat " + secret,
		"home":                     "ls /root /home/*",
		"connect":                  "exec 3<>/dev/tcp/127.0.0.1/" + port,
		"signal to another":        "kill -0 $PPID",
		"environment of another":   "cat /proc/$PPID/environ",
		"descriptors of another":   "ls /proc/$PPID/root /proc/$PPID/fd",
	} {
		out := run(t, o, command, 0)
		if !out.IsError || strings.Contains(out.Text, "the secret") || strings.Contains(out.Text, "HOME=") {
			t.Errorf("%s: %q", name, out.Text)
		}
	}
	if b, err := os.ReadFile(secret); err != nil || string(b) != "the secret" {
		t.Errorf("outside: %q, %v", b, err)
	}
	if entries, _ := os.ReadDir(outside); len(entries) != 1 {
		t.Errorf("outside there are %v", entries)
	}
}

func TestConfinedMore(t *testing.T) {
	o := confined(t)
	more, only := t.TempDir(), t.TempDir()
	o.Confine.Write, o.Confine.Read = []string{more, filepath.Join(more, "missing")}, []string{only}
	if out := run(t, o, "echo x > "+more+"/f && cat "+more+"/f && ls "+only+" && ! touch "+only+"/f", 0); out.IsError || !strings.HasPrefix(out.Text, "x\n") {
		t.Errorf("%q", out.Text)
	}
	if out := run(t, o, "exit 7", 0); !strings.Contains(out.Text, "exit code 7") {
		t.Errorf("the exit code is lost: %q", out.Text)
	}
	spec := Tool(o).Spec()
	if spec.OpenWorld || !strings.Contains(spec.Description, "The network cannot be reached") {
		t.Errorf("%+v", spec)
	}
	o.Confine.Network = true
	if spec := Tool(o).Spec(); !spec.OpenWorld || strings.Contains(spec.Description, "cannot be reached") {
		t.Errorf("%+v", spec)
	}
	ln, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer ln.Close()
	_, port, _ := net.SplitHostPort(ln.Addr().String())
	if out := run(t, o, "exec 3<>/dev/tcp/127.0.0.1/"+port+" && echo connected", 0); out.Text != "connected\n" {
		t.Errorf("with the network: %q", out.Text)
	}
}

// TestOwnNetwork holds that a confined command reaches a server that it starts
// and nobody else.
func TestOwnNetwork(t *testing.T) {
	o := confined(t)
	if !o.Confine.canBeAlone() {
		t.Skip("no network of its own can be made here; allow unprivileged user namespaces, or run as root")
	}
	self := o.Confine.Helper[0]
	o.Confine.Read = []string{filepath.Dir(self)}
	if out := run(t, o, self+" "+serveArg, 0); out.Text != "served\n" {
		t.Errorf("a server on the loopback device: %q", out.Text)
	}
	for name, command := range map[string]string{
		"datagrams": "exec 3<>/dev/udp/192.0.2.1/53 && echo x >&3",
		"addresses": "exec 3<>/dev/tcp/192.0.2.1/80",
	} {
		if out := run(t, o, command, 5); !out.IsError || !strings.Contains(out.Text, "unreachable") {
			t.Errorf("%s: %q", name, out.Text)
		}
	}
}

func TestExecConfinedMistakes(t *testing.T) {
	for _, raw := range []string{"", "{", "[]"} {
		if err := ExecConfined(raw); err == nil {
			t.Errorf("%q: no error", raw)
		}
	}
	o := options(t)
	o.Confine = &Confinement{}
	if _, err := Tool(o).Run(t.Context(), []byte(`{"command":"true"}`)); err == nil || !strings.Contains(err.Error(), "no helper") {
		t.Errorf("error %v", err)
	}
}
