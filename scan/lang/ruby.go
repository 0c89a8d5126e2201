package lang

import "github.com/topo-dev/topo/stream"

var rubyLang = Language{
	Name:         "ruby",
	Display:      "Ruby",
	Aliases:      []string{"rb"},
	Extensions:   []string{".rb", ".rake", ".gemspec", ".ru", ".rbi", ".rbw", ".podspec", ".thor", ".jbuilder", ".builder", ".rabl", ".god", ".watchr", ".ruby"},
	Filenames:    []string{"Rakefile", "Gemfile", "Guardfile", "Podfile", "Capfile", "Thorfile", "Vagrantfile", "Berksfile", "Brewfile", "Fastfile", "Appfile", "Matchfile", "Deliverfile", "Dangerfile", "Appraisals", "Steepfile", "Puppetfile", ".irbrc", ".pryrc", ".simplecov", "buildfile"},
	Interpreters: []string{"ruby", "jruby", "rbx", "macruby", "rake", "truffleruby"},
	Comment:      Comment{Line: []string{"#"}, Block: [][2]string{{"=begin", "=end"}}, AtStart: []string{"=begin"}},
	TestFiles: Names{
		Exact:  []string{"spec_helper.rb", "rails_helper.rb", "test_helper.rb"},
		Prefix: []string{"test_"},
		Suffix: []string{"_spec", "_test"},
		Dirs:   []string{"spec", "specs", "features"},
	},
	Generated: Names{
		Suffix: []string{"_pb", "_services_pb"},
	},
	Strings: Strings{Quotes: "\"'"},
	Tests: Tests{
		Style:     TestFile,
		Functions: []string{"test_"}, // methods of Minitest, blocks of RSpec
		// lib/active_support/test_case.rb is a library.
		Library: Library{Dir: "lib", TestFiles: Names{
			Exact:  []string{"spec_helper.rb", "rails_helper.rb", "test_helper.rb"},
			Suffix: []string{"_spec", "_test"},
		}},
	},
	Family:         "ruby",
	NamedArguments: true,
	Role:           stream.RoleImpl,
}
