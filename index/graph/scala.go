package graph

var scalaRules = kotlinRulesOf("scala")
