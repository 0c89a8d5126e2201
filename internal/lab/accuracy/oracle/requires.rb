# Prints what the files of a load path require, require_relative and autoload,
# as Ruby's own parser reads them and its load path resolves them.
#
# usage: ruby - ROOT FOLDER…
#
# {"Files": […], "Pairs": [[path, path]]}
require "json"
require "ripper"

root = File.realpath(ARGV.shift)
folders = ARGV.map { |f| File.realpath(f, root) }
$LOAD_PATH.unshift(*folders)

# The literal text of the first string among a call's arguments.
def literal(node)
  return unless node.is_a?(Array)
  return node[1][1] && node[1][1][1] if node[0] == :string_literal && node[1].size == 2 && node[1][1][0] == :@tstring_content
  return if node[0] == :string_literal

  node.each { |n| found = literal(n) and return found }
  nil
end

def calls(node, &seen)
  return unless node.is_a?(Array)

  name = node[1][1] if %i[command fcall].include?(node[0]) && node[1].is_a?(Array)
  seen.call(name, literal(node[2])) if node[0] == :command && literal(node[2])
  seen.call(node[1][1][1], literal(node[2])) if node[0] == :method_add_arg && node[1][0] == :fcall && literal(node[2])
  node.each { |n| calls(n, &seen) }
end

files = folders.flat_map { |f| Dir[f + "/**/*.rb"] }.uniq.sort
pairs = files.flat_map do |file|
  found = []
  calls(Ripper.sexp(File.read(file))) do |name, feature|
    case name
    when "require", "autoload"
      _, to = $LOAD_PATH.resolve_feature_path(feature)
    when "require_relative"
      to = File.expand_path(feature.delete_suffix(".rb") + ".rb", File.dirname(file))
    end
    found << [file, to] if to.is_a?(String) && to.start_with?(root + "/") && File.file?(to)
  end
  found
end
relative = ->(f) { f.delete_prefix(root + "/") }
puts JSON.generate("Files" => files.map(&relative), "Pairs" => pairs.uniq.map { |p| p.map(&relative) })
