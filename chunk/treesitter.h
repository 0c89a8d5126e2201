// Parses one source file and lists the nodes a language's table asks for, in
// one call: a call from Go into C costs as much as visiting dozens of nodes.
#ifndef TOPO_TREESITTER_H
#define TOPO_TREESITTER_H

#include <stdint.h>

// What a table says of a node type.
enum {
  TOPO_SHOW = 1,    // list the node
  TOPO_DESCEND = 2, // look at its children
  TOPO_KIDS = 4,    // list its named children, whatever their own type says
};

// One listed node. Nodes are in document order, parents before children.
typedef struct {
  uint32_t start, end;         // bytes
  uint32_t start_row, end_row; // 0-based
  uint32_t next;               // index of the first node after this one's subtree
  int32_t parent;              // index of the nearest listed ancestor, -1 at the root
  uint16_t symbol;             // 0xFFFF is an error
  uint16_t field;              // the node's field in its direct parent, 0 for none
  uint16_t direct;             // 1 when the listed parent is the direct parent
  uint16_t unused;
} topo_node;

enum { TOPO_OK = 0, TOPO_LIMIT = 1, TOPO_FAILED = 2 };

typedef struct {
  topo_node *nodes; // to be freed with topo_free
  uint32_t len;
  int32_t status;
  int32_t errors; // the tree has error or missing nodes
} topo_tree;

// topo_parse reads len bytes of src, with at most steps calls of the lexer and
// micros microseconds of processor time, and lists at most max_nodes nodes no
// deeper than max_depth. With more set it lists the nodes of the same tree by
// those flags in full, which is to be freed in any case.
void topo_parse(const void *language, const uint8_t *flags,
                const uint8_t *more, uint32_t nflags, const char *src,
                uint32_t len, uint64_t steps, uint64_t micros,
                uint32_t max_nodes, uint32_t max_depth, topo_tree *out,
                topo_tree *full);

// topo_reset_lua puts the scanner of the Lua grammar in its first state.
void topo_reset_lua(void);

void topo_free(topo_tree *tree);

uint32_t topo_symbol_count(const void *language);
const char *topo_symbol_name(const void *language, uint32_t symbol);
int topo_symbol_type(const void *language, uint32_t symbol);
uint32_t topo_field_count(const void *language);
const char *topo_field_name(const void *language, uint32_t field);

#endif
