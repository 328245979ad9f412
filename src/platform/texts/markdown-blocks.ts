import Markdown, { type ParserBlock, type StateBlock, type Token } from 'markdown-it';

type Rule = ReturnType<ParserBlock['ruler']['getRules']>[number];
/** The state during one text: how many more cells its tables may have, and lines its quotes may look at in vain. */
type Counted = { cells: number; quoted?: number };

/**
 * Lines that the quotes of a text may look at without taking them. A quote looks at all lines up to an empty one, and after
 * a heading takes none of them, so that many short quotes in a row would take quadratic time.
 */
const MAX_QUOTED_IN_VAIN = 5_000;

/** Maximum columns of a table; one with more is shown as text. */
export const MAX_COLUMNS = 20;
/**
 * Maximum nesting of elements: of quotes, and half as deep of lists, which are two elements each. Deeper ones are
 * text.
 */
export const MAX_DEPTH = 16;

/**
 * Bounds the output of a text's blocks. A table fills up each short row to its number of columns, so a few characters
 * could produce many cells: it has at most as many as there are characters, and empty ones are merged. What would nest
 * too deep stays as text; markdown-it itself would omit it.
 */
export function boundBlocks({ ruler }: ParserBlock): void {
  ruler.at('table', boundTable(ruleOf('table')), { alt: ['paragraph'] });
  ruler.at('blockquote', boundDepth(boundQuote(ruleOf('blockquote'))), { alt: ['paragraph', 'blockquote', 'list'] });
  ruler.at('list', boundDepth(ruleOf('list')), { alt: ['paragraph', 'blockquote'] });
}

/** A rule as markdown-it has it. */
function ruleOf(name: string): Rule {
  const { ruler } = new Markdown().block;
  ruler.enableOnly(name);
  const [rule] = ruler.getRules('');
  if (!rule) throw new Error(`markdown-it has no rule for ${name}`);
  return rule;
}

function boundDepth(rule: Rule): Rule {
  return (state, ...rest) => state.level < MAX_DEPTH && rule(state, ...rest);
}

function boundQuote(rule: Rule): Rule {
  return (state, startLine, endLine, silent) => {
    const counted = state.env as Counted;
    const most = counted.quoted ?? MAX_QUOTED_IN_VAIN;
    if (silent) return rule(state, startLine, endLine, true);
    if (!rule(state, startLine, endLine, true)) return false;
    let line = startLine;
    while (line < endLine && line - startLine <= most && !state.isEmpty(line)) line++;
    if (line - startLine > most) return false;
    rule(state, startLine, endLine, false);
    counted.quoted = most - Math.max(0, line - state.line);
    return true;
  };
}

function boundTable(rule: Rule): Rule {
  return (state, startLine, endLine, silent) => {
    if (!rule(state, startLine, endLine, true)) return false;
    const counted = state.env as Counted;
    const columns = columnsOf(state, startLine + 1);
    const rows = Math.floor(counted.cells / columns);
    if (columns > MAX_COLUMNS || rows < 1) return false;
    if (silent) return true;
    const before = state.tokens.length;
    rule(state, startLine, Math.min(endLine, startLine + 2 + rows), false);
    counted.cells -= columns * (state.line - startLine);
    for (const token of joinEmptyCells(state.tokens.splice(before))) state.tokens.push(token);
    return true;
  };
}

/** The number of columns of a table, according to the line below its header. */
function columnsOf({ src, bMarks, tShift, eMarks }: StateBlock, line: number): number {
  const text = src.slice((bMarks[line] ?? 0) + (tShift[line] ?? 0), eMarks[line]);
  return text.split('|').filter((column) => column.trim() !== '').length;
}

/** The tokens of a table with adjacent empty cells merged into one, as wide as they were. */
function joinEmptyCells(tokens: readonly Token[]): Token[] {
  const joined: Token[] = [];
  for (let n = 0; n < tokens.length; ) {
    let empty = 0;
    while (isEmptyCell(tokens, n + CELL * empty)) empty++;
    if (empty > 1) tokens[n]?.attrSet('colspan', String(empty));
    joined.push(...tokens.slice(n, n + (empty > 0 ? CELL : 1)));
    n += Math.max(1, CELL * empty);
  }
  return joined;
}

/** The tokens of a cell: its beginning, what is in it, its end. */
const CELL = 3;

function isEmptyCell(tokens: readonly Token[], n: number): boolean {
  return tokens[n]?.type === 'td_open' && tokens[n + 1]?.content === '';
}
