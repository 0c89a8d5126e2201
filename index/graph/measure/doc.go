// Package measure computes figures of a whole graph that is given as arrays:
// the communities of its files and the betweenness of its nodes. The builder of
// the index stores them, and commands recompute them with other parameters.
//
// What always holds: the same input gives the same bits on any machine. Sums
// run in a fixed order, products are rounded before they are added, and chance
// comes from the seed alone.
package measure
