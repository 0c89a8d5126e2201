package secret

import "bytes"

// structures are the places where a secret is found by the structure around it.
var structures = []anchor{
	{text: "private key", fold: true, check: checkPEM},
	{text: "Private-Lines:", check: checkPuTTY},
	{text: "://", check: checkURL},
	{text: "bearer ", fold: true, check: checkBearer},
	{text: "basic ", fold: true, check: checkBasic},
	{text: "machine ", check: checkNetrc},
	{text: " -u", check: checkCurl},
	{text: "--user", check: checkCurl},
	{text: " -p ", check: checkLogin},
}

// maxURLUser bounds the user and the password of a URL, each.
const maxURLUser = 256

// checkURL looks for the password in scheme://user:password@host.
func checkURL(s *scanner, start, end int) {
	if start == 0 || !isWord(s.b[start-1]) {
		return
	}
	b := s.b[end:min(len(s.b), end+2*maxURLUser)]
	colon := bytes.IndexAny(b, ":@/ \t\n\"'`<>{}()\\?#,")
	if colon < 0 || b[colon] != ':' {
		return
	}
	stop := bytes.IndexAny(b[colon+1:], "@/ \t\n\"'`<>\\")
	if stop < 0 || b[colon+1+stop] != '@' {
		return
	}
	from, to := end+colon+1, end+colon+1+stop
	if s.isPassword(from, to) {
		s.add(from, to, "url-password", rankNear)
	}
}

// isPassword reports whether s.b[from:to], which is in the place of a password,
// is one rather than a word that documentation puts there.
func (s *scanner) isPassword(from, to int) bool {
	text := s.b[from:to]
	return len(text) >= minPassword && len(text) <= maxValue && !isPlaceholder(text) && isRandom(text, chancePassword)
}

// checkBearer looks for the token after "Bearer ".
func checkBearer(s *scanner, _, end int) {
	to := s.run(end, 'p')
	token := s.b[end:to]
	if len(token) >= 16 && len(token) < maxRun && !isFiller(token) && isRandom(token, chanceToken) {
		s.add(end, to, "bearer-token", rankNear)
	}
}

// checkBasic looks for user:password in base64 after "Basic ".
func checkBasic(s *scanner, _, end int) {
	to := s.run(end, 'p')
	if to-end < minPassword || to-end > maxValue {
		return
	}
	plain := decoded(s.b[end:to])
	_, password, ok := bytes.Cut(plain, []byte(":"))
	if ok && len(password) >= minPassword && !isPlaceholder(password) && isRandom(password, chancePassword) {
		s.add(end, to, "basic-auth", rankNear)
	}
}

// run returns where the run of a class that begins at i ends.
func (s *scanner) run(i int, class byte) int {
	e := element{class: classBit(class), max: maxRun}
	return i + e.forward(s.classes, s.b[i:])
}

// checkNetrc looks for "machine host login user password secret", on one line or
// on several.
func checkNetrc(s *scanner, start, end int) {
	if start > 0 && s.b[start-1] != '\n' {
		return
	}
	i, login := end, false
	limit := min(len(s.b), end+maxValue)
	previous := ""
	for range 8 {
		for i < limit && bytes.IndexByte([]byte(" \t\r\n"), s.b[i]) >= 0 {
			i++
		}
		from := i
		for i < limit && bytes.IndexByte([]byte(" \t\r\n"), s.b[i]) < 0 {
			i++
		}
		if from == i {
			return
		}
		if previous == "password" && login && s.isPassword(from, i) {
			s.add(from, i, "netrc-password", rankNear)
			return
		}
		previous = string(s.b[from:i])
		login = login || previous == "login"
	}
}

// checkCurl looks for the password in curl -u user:password.
func checkCurl(s *scanner, start, end int) {
	if !bytes.Contains(lineBefore(s.b, start), []byte("curl")) {
		return
	}
	from, to := wordAt(s.b, end)
	if colon := bytes.IndexByte(s.b[from:to], ':'); colon > 0 && s.isPassword(from+colon+1, to) {
		s.add(from+colon+1, to, "curl-password", rankNear)
	}
}

// checkLogin looks for the password that docker login and sshpass take after -p.
func checkLogin(s *scanner, start, end int) {
	line := lineBefore(s.b, start)
	if !bytes.Contains(line, []byte("login ")) && !bytes.HasSuffix(line, []byte("sshpass")) {
		return
	}
	if from, to := wordAt(s.b, end); s.isPassword(from, to) {
		s.add(from, to, "login-password", rankNear)
	}
}

// lineBefore returns the part of a line before i, at most maxValue bytes of it.
func lineBefore(b []byte, i int) []byte {
	line := b[max(0, i-maxValue):i]
	return line[bytes.LastIndexByte(line, '\n')+1:]
}

// wordAt returns where the argument of a command at i begins and ends.
func wordAt(b []byte, i int) (from, to int) {
	from = i
	for from < len(b) && from < i+3 && bytes.IndexByte([]byte(" =\"'"), b[from]) >= 0 {
		from++
	}
	rest := b[from:min(len(b), from+maxValue)]
	n := bytes.IndexAny(rest, " \t\r\n\"'")
	if n < 0 {
		n = len(rest)
	}
	return from, from + n
}
