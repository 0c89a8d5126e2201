# Logs a user in.

# lookup prints the field of a user: 2 is the password, 3 the state.
lookup() {
	grep "^$1:" users.txt | cut -d: -f"$2"
}

# locked succeeds for a user who may not log in.
locked() {
	[ "$(lookup "$1" 3)" = locked ]
}

# login succeeds when the password is that of the user.
login() {
	locked "$1" && return 1
	[ "$(lookup "$1" 3)" = "$2" ]
}
