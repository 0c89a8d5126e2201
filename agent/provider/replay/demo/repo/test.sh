# Tests login.sh. Run it with: sh test.sh
. ./login.sh

failed=0
check() {
	want=$1
	shift
	if "$@"; then got=yes; else got=no; fi
	if [ "$got" = "$want" ]; then
		echo "ok   $*"
	else
		echo "FAIL $*: $got, want $want"
		failed=1
	fi
}

check yes login ada enigma
check no login ada wrong
check no login ada active
check no login bob secret
exit $failed
