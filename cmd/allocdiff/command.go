package main

import (
	"regexp"
	"runtime/debug"
	"strings"
)

// commandLimit is how many bytes of a command line a report shows: a glob that
// the shell expanded can name thousands of files.
const commandLimit = 400

var (
	plainRE    = regexp.MustCompile(`^[A-Za-z0-9_./:=,@%+-]+$`) // a shell takes it as it is
	passwordRE = regexp.MustCompile(`(://[^/@:]*):[^/]*@`)
)

// commandLine is the command as it can be typed again, without passwords.
func commandLine(args []string) string {
	words := []string{"allocdiff"}
	for _, arg := range args {
		arg = passwordRE.ReplaceAllString(arg, "$1:xxxxx@")
		if !plainRE.MatchString(arg) {
			arg = "'" + strings.ReplaceAll(arg, "'", `'\''`) + "'"
		}
		words = append(words, arg)
	}
	line := strings.Join(words, " ")
	if len(line) > commandLimit {
		line = strings.ToValidUTF8(line[:commandLimit], "") + " …"
	}
	return line
}

// version is that of the module when the command was built from one.
func version() string {
	if info, ok := debug.ReadBuildInfo(); ok && info.Main.Version != "" {
		return info.Main.Version
	}
	return "(devel)"
}
