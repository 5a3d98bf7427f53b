/** Counts lines that are neither blank nor only a comment. */
import { extname } from 'node:path';
import { type Node, parseSync, Visitor } from 'oxc-parser';
import { kindOf } from './source-files.ts';

/** A function over the length limit. */
export interface LongFunction {
  readonly file: string;
  readonly name: string;
  readonly lines: number;
  readonly max: number;
}

/** Components include their markup, which the linter does not count. */
const componentLinesMax = 75;

/** Returns how many lines of a source count. Throws if its code cannot be parsed. */
export const countLines = (path: string, text: string): number => filled(withoutComments(path, text));

/** Returns functions of a `.tsx` file that have too many lines, including inner functions and markup. */
export function longFunctions(file: string, text: string): LongFunction[] {
  const code = withoutComments(file, text);
  const found: LongFunction[] = [];
  const look = ({ start, end }: Node, name = 'a function') => {
    const lines = filled(code.slice(start, end));
    if (lines > componentLinesMax) found.push({ file, name, lines, max: componentLinesMax });
  };
  new Visitor({
    FunctionDeclaration: (node) => look(node, node.id?.name),
    FunctionExpression: (node) => look(node, node.id?.name),
    ArrowFunctionExpression: (node) => look(node),
  }).visit(parseSync(file, text).program);
  return found;
}

/** Returns an overlong function as one line for people. */
export const describeLongFunction = ({ file, name, lines, max }: LongFunction): string =>
  `${file}: ${name} has ${lines} lines, and may have ${max}`;

/** As for code, which the linter counts. */
const styleLinesMax = 300;

/** Returns what is wrong with the length of a style sheet; empty if nothing is. */
export function longStyle(file: string, text: string): string {
  const lines = countLines(file, text);
  return lines > styleLinesMax ? `${file} has ${lines} lines, and may have ${styleLinesMax}` : '';
}

const filled = (text: string): number => text.split('\n').filter((line) => line.trim() !== '').length;

/** Returns a source with spaces instead of comments, so that line numbers stay. Throws if its code cannot be parsed. */
export function withoutComments(path: string, text: string): string {
  if (kindOf(path) === 'code') {
    const { comments, errors } = parseSync(path, text);
    if (errors.length > 0) throw new Error(`cannot parse ${path}: ${errors[0]?.message}`);
    let code = text;
    for (const comment of comments) {
      const inBraces = text[comment.start - 1] === '{' && text[comment.end] === '}' ? 1 : 0; // as in markup
      const [start, end] = [comment.start - inBraces, comment.end + inBraces];
      code = code.slice(0, start) + blank(code.slice(start, end)) + code.slice(end);
    }
    return code;
  }
  const pattern = { '.css': /\/\*.*?\*\//gs, '.sql': /--[^\n]*/g, '.html': /<!--.*?-->/gs }[extname(path)];
  return pattern === undefined ? text : text.replace(pattern, blank);
}

const blank = (text: string): string => text.replaceAll(/[^\n]/g, ' ');
