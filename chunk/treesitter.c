#include "treesitter.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

// The part of the tree-sitter interface used here. The functions live in the
// tree-sitter library that the go-tree-sitter package compiles; they are weak
// here so that this package links on its own before the binary is put together.
typedef struct TSParser TSParser;
typedef struct TSTree TSTree;
typedef struct { uint32_t row, column; } TSPoint;
typedef struct { uint32_t context[4]; const void *id; const TSTree *tree; } TSNode;
typedef struct { const void *tree; const void *id; uint32_t context[3]; } TSTreeCursor;

// The tables of a grammar, in the layout of the language versions 13 and 14.
typedef struct {
  uint32_t version;
  uint32_t counts[8]; // symbols, aliases, tokens, external tokens, states, …
  uint16_t max_alias_sequence_length;
  const void *tables[13]; // from parse_table to lex_modes
  bool (*lex)(void *lexer, uint16_t state);
  bool (*keyword_lex)(void *lexer, uint16_t state);
  uint16_t keyword_capture_token;
  struct {
    const bool *states;
    const uint16_t *symbol_map;
    void *(*create)(void);
    void (*destroy)(void *);
    bool (*scan)(void *, void *lexer, const bool *wanted);
    unsigned (*serialize)(void *, char *);
    void (*deserialize)(void *, const char *, unsigned);
  } external;
  const uint16_t *primary_state_ids;
} TSLanguage;

#define WEAK __attribute__((weak)) extern
WEAK TSParser *ts_parser_new(void);
WEAK void ts_parser_delete(TSParser *);
WEAK bool ts_parser_set_language(TSParser *, const TSLanguage *);
WEAK void ts_parser_set_cancellation_flag(TSParser *, const size_t *);
WEAK TSTree *ts_parser_parse_string(TSParser *, const TSTree *, const char *, uint32_t);
WEAK void ts_tree_delete(TSTree *);
WEAK TSNode ts_tree_root_node(const TSTree *);
WEAK uint16_t ts_node_symbol(TSNode);
WEAK uint32_t ts_node_start_byte(TSNode);
WEAK uint32_t ts_node_end_byte(TSNode);
WEAK TSPoint ts_node_start_point(TSNode);
WEAK TSPoint ts_node_end_point(TSNode);
WEAK bool ts_node_is_named(TSNode);
WEAK bool ts_node_has_error(TSNode);
WEAK TSTreeCursor ts_tree_cursor_new(TSNode);
WEAK void ts_tree_cursor_delete(TSTreeCursor *);
WEAK TSNode ts_tree_cursor_current_node(const TSTreeCursor *);
WEAK uint16_t ts_tree_cursor_current_field_id(const TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_parent(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_next_sibling(TSTreeCursor *);
WEAK bool ts_tree_cursor_goto_first_child(TSTreeCursor *);
WEAK uint32_t ts_language_symbol_count(const TSLanguage *);
WEAK const char *ts_language_symbol_name(const TSLanguage *, uint16_t);
WEAK int ts_language_symbol_type(const TSLanguage *, uint16_t);
WEAK uint32_t ts_language_field_count(const TSLanguage *);
WEAK const char *ts_language_field_name_for_id(const TSLanguage *, uint16_t);

// The scanner of the Lua grammar keeps its state in two global variables.
WEAK char ending_char;
WEAK uint8_t level_count;

void topo_reset_lua(void) {
  if (&ending_char) ending_char = 0;
  if (&level_count) level_count = 0;
}

#define ERROR_SYMBOL 0xFFFF

// What the walk remembers of each ancestor.
typedef struct {
  int32_t listed; // nearest listed node at or above it, -1 for none
  uint8_t shown;  // it is listed itself
  uint8_t flags;
} level;

typedef struct {
  topo_tree *out;
  uint32_t cap;
} list;

static bool add(list *l, TSNode node, uint16_t symbol, uint16_t field,
                const level *above) {
  topo_tree *out = l->out;
  if (out->len == l->cap) {
    uint32_t cap = l->cap ? l->cap * 2 : 256;
    topo_node *grown = realloc(out->nodes, (size_t)cap * sizeof(topo_node));
    if (!grown) return false;
    out->nodes = grown;
    l->cap = cap;
  }
  topo_node *n = &out->nodes[out->len++];
  n->start = ts_node_start_byte(node);
  n->end = ts_node_end_byte(node);
  n->start_row = ts_node_start_point(node).row;
  n->end_row = ts_node_end_point(node).row;
  n->next = out->len;
  n->parent = above->listed;
  n->symbol = symbol;
  n->field = field;
  n->direct = above->shown;
  n->unused = 0;
  return true;
}

static void walk(TSTree *tree, const uint8_t *flags, uint32_t nflags,
                 uint32_t max_nodes, uint32_t max_depth, topo_tree *out) {
  list l = {out, 0};
  level *levels = malloc((size_t)(max_depth + 2) * sizeof(level));
  if (!levels) { out->status = TOPO_FAILED; return; }
  uint32_t depth = 0; // levels[0] stands above the root
  levels[0] = (level){-1, 0, 0};
  TSTreeCursor cursor = ts_tree_cursor_new(ts_tree_root_node(tree));
  for (;;) {
    TSNode node = ts_tree_cursor_current_node(&cursor);
    uint16_t symbol = ts_node_symbol(node);
    uint8_t f = symbol == ERROR_SYMBOL ? TOPO_SHOW | TOPO_DESCEND
              : symbol < nflags ? flags[symbol] : 0;
    if (depth == 0) f |= TOPO_SHOW | TOPO_DESCEND;
    const level *above = &levels[depth];
    level here = {above->listed, 0, f};
    if ((f & TOPO_SHOW) || ((above->flags & TOPO_KIDS) && ts_node_is_named(node))) {
      if (out->len >= max_nodes ||
          !add(&l, node, symbol, ts_tree_cursor_current_field_id(&cursor), above)) {
        out->status = TOPO_LIMIT;
        break;
      }
      here.listed = (int32_t)out->len - 1;
      here.shown = 1;
    }
    if ((f & TOPO_DESCEND) && depth < max_depth &&
        ts_tree_cursor_goto_first_child(&cursor)) {
      levels[++depth] = here;
      continue;
    }
    if (here.shown) out->nodes[here.listed].next = out->len;
    while (depth > 0 && !ts_tree_cursor_goto_next_sibling(&cursor)) {
      ts_tree_cursor_goto_parent(&cursor);
      if (levels[depth].shown) out->nodes[levels[depth].listed].next = out->len;
      depth--;
    }
    if (depth == 0) break;
  }
  for (; depth > 0; depth--)
    if (levels[depth].shown) out->nodes[levels[depth].listed].next = out->len;
  ts_tree_cursor_delete(&cursor);
  free(levels);
}

// What a parse may take. The result of a file must not depend on how busy the
// machine is, so that the limits are calls of the lexer, which depend on the
// file alone, and processor time of this thread, not time of day. The parser
// is given a copy of the grammar whose lexers count.
typedef struct {
  const TSLanguage *language;
  uint64_t steps;  // calls of the lexer left
  uint64_t until;  // processor time of this thread, microseconds
  unsigned since;  // calls since the clock was read
  size_t stop;     // the parser's cancellation flag
} budget;

static _Thread_local budget *spending;

static uint64_t thread_micros(void) {
  struct timespec t;
  if (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t) != 0) return 0;
  return (uint64_t)t.tv_sec * 1000000 + (uint64_t)t.tv_nsec / 1000;
}

static void spend(budget *b) {
  if (b->steps > 0) b->steps--;
  if (++b->since == 256) b->since = 0;
  if (b->steps == 0 || (b->since == 0 && thread_micros() > b->until))
    __atomic_store_n(&b->stop, 1, __ATOMIC_RELAXED);
}

static bool counted_lex(void *lexer, uint16_t state) {
  spend(spending);
  return spending->language->lex(lexer, state);
}

static bool counted_scan(void *payload, void *lexer, const bool *wanted) {
  spend(spending);
  return spending->language->external.scan(payload, lexer, wanted);
}

static void clear(topo_tree *t) {
  t->nodes = NULL;
  t->len = 0;
  t->status = TOPO_FAILED;
  t->errors = 0;
}

static TSLanguage counting(const TSLanguage *language) {
  TSLanguage copy = {0};
  memcpy(&copy, language,
         language->version < 14 ? offsetof(TSLanguage, primary_state_ids) : sizeof copy);
  copy.lex = counted_lex;
  if (copy.external.scan) copy.external.scan = counted_scan;
  return copy;
}

void topo_parse(const void *language, const uint8_t *flags,
                const uint8_t *more, uint32_t nflags, const char *src,
                uint32_t len, uint64_t steps, uint64_t micros,
                uint32_t max_nodes, uint32_t max_depth, topo_tree *out,
                topo_tree *full) {
  clear(out);
  clear(full);
  TSParser *parser = ts_parser_new();
  if (!parser) return;
  TSLanguage copy = counting(language); // the tree points to it
  budget b = {language, steps, thread_micros() + micros, 0, 0};
  if (ts_parser_set_language(parser, &copy)) {
    spending = &b;
    ts_parser_set_cancellation_flag(parser, &b.stop);
    TSTree *tree = ts_parser_parse_string(parser, NULL, src, len);
    spending = NULL;
    if (tree) {
      out->status = TOPO_OK;
      out->errors = ts_node_has_error(ts_tree_root_node(tree));
      walk(tree, flags, nflags, max_nodes, max_depth, out);
      if (more) {
        full->status = TOPO_OK;
        walk(tree, more, nflags, max_nodes, max_depth, full);
      }
      ts_tree_delete(tree);
    } else {
      out->status = TOPO_LIMIT;
    }
  }
  ts_parser_delete(parser);
}

void topo_free(topo_tree *tree) {
  free(tree->nodes);
  tree->nodes = NULL;
  tree->len = 0;
}

uint32_t topo_symbol_count(const void *l) { return ts_language_symbol_count(l); }
const char *topo_symbol_name(const void *l, uint32_t s) { return ts_language_symbol_name(l, s); }
int topo_symbol_type(const void *l, uint32_t s) { return ts_language_symbol_type(l, s); }
uint32_t topo_field_count(const void *l) { return ts_language_field_count(l); }
const char *topo_field_name(const void *l, uint32_t f) { return ts_language_field_name_for_id(l, f); }
