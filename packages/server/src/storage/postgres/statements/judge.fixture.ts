/**
 * Judges a statement by the declarations of its tables alone: whether a database of several machines (Citus) can run it, and which machines
 * it asks. The rules are those that Citus 13.2 was seen to have.
 */
import { loadModule, parseSync } from 'libpg-query';
import type { Placement } from '../../sql/schema/declaration.ts';
import { placements } from '../schema/placements.ts';
import { Classes, type Node, partsOf, textsOf } from './syntax.fixture.ts';

await loadModule();

/** `account`: one machine, that of an account which a parameter names. `all`: every machine. */
type Reach = 'coordinator' | 'account' | 'all';

export interface Judgement {
  readonly reach: Reach;
  /** Why it cannot be run; empty if it can. */
  readonly refusals: readonly string[];
  /** Why it is not a single task of one machine; empty if it is. */
  readonly delays: readonly string[];
}

/** A table at one place of a statement, or something else that has rows there. */
interface Source {
  readonly alias: string;
  /** Undefined for a subquery, function or expression of the WITH clause. */
  readonly placement: Placement | undefined;
  readonly key: string;
  /** Whether it is a subquery that each machine can answer alone for its accounts. */
  readonly isOfMachine?: boolean;
}

interface Scope {
  readonly sources: Source[];
  readonly parent: Scope | undefined;
  /** The expressions of WITH clauses that can be named here. */
  readonly named: ReadonlySet<string>;
}

/** Returns what becomes of a statement. Throws if it is not valid SQL. */
export function judge(sql: string): Judgement {
  const judged = new StatementJudge();
  for (const { stmt } of (parseSync(sql) as unknown as { stmts: { stmt: Node }[] }).stmts) {
    judged.statement(stmt, { sources: [], parent: undefined, named: new Set() });
  }
  return judged.judgement();
}

const isSpread = ({ placement }: Source): boolean => typeof placement === 'object';
/** Whether a machine has its part of the rows, instead of the coordinator all of them. */
const isApart = (source: Source): boolean => isSpread(source) || source.isOfMachine === true;
const isOnCoordinator = ({ placement }: Source): boolean => placement === 'local' || placement === 'managed';

const isAccount = ({ ColumnRef: column }: Node): boolean =>
  column !== undefined && textsOf((column as Node).fields).at(-1) === 'account_id';

/** The names before the columns of an expression. */
function namesIn(part: unknown): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const fields = textsOf(((part as Node).ColumnRef as Node | undefined)?.fields);
  return [...fields.slice(0, -1), ...Object.values(part).flatMap(namesIn)];
}

class StatementJudge {
  /** What must have equal accounts. */
  readonly #classes = new Classes();
  readonly #sources: Source[] = [];
  readonly #changed: Source[] = [];
  readonly #refusals: string[] = [];
  /** Refusals of statements that ask every machine. */
  readonly #refusalsOfAll: string[] = [];
  #isLocking = false;
  #isLateral = false;
  #isReturningMore = false;
  #isAddingInside = false;

  judgement(): Judgement {
    const spread = this.#sources.filter(isSpread);
    const unbound = spread.filter(({ key }) => this.#classes.parametersOf(key).length === 0);
    const parameters = new Set(spread.flatMap(({ key }) => this.#classes.parametersOf(key)));
    const reach = spread.length === 0 ? 'coordinator' : unbound.length === 0 && parameters.size === 1 ? 'account' : 'all';
    this.#judgeKinds(spread.length > 0);
    if (reach === 'all' && this.#isLocking) this.#refusals.push('it locks rows on every machine');
    if (reach === 'all' && this.#isLateral)
      this.#refusals.push('a LATERAL subquery needs the account of each table as a parameter');
    if (reach === 'all') this.#refusals.push(...this.#refusalsOfAll);
    return { reach, refusals: this.#refusals, delays: this.#delays(reach) };
  }

  #delays(reach: Reach): readonly string[] {
    const copied = this.#changed.filter(({ placement }) => placement === 'reference');
    // An INSERT into a table of the coordinator locks its copy alone.
    const isLockingAll = this.#isLocking && !this.#changed.some(isOnCoordinator);
    const locked = isLockingAll ? this.#sources.filter(({ placement }) => placement === 'reference') : [];
    return [
      ...(reach === 'all' ? ['it asks every machine'] : []),
      ...(reach === 'account' && this.#isAddingInside ? ['it adds rows beside something else'] : []),
      ...copied.map(({ alias }) => `it changes every copy of ${alias}`),
      ...locked.map(({ alias }) => `it locks every copy of ${alias}`),
    ];
  }

  #judgeKinds(isSpreadOut: boolean): void {
    const onCoordinator = this.#sources.some(isOnCoordinator);
    const hasCopies = this.#sources.some(({ placement }) => placement === 'reference');
    if (onCoordinator && isSpreadOut) this.#refusals.push('it combines tables of the coordinator with tables of accounts');
    for (const source of this.#changed) {
      if (source.placement === 'reference' && (isSpreadOut || onCoordinator)) {
        this.#refusals.push(`it changes ${source.alias}, which has copies, and reads a table that has none`);
      }
      if (source.placement === 'local' && hasCopies) {
        this.#refusals.push(`it changes ${source.alias}, which Citus does not know, and reads a table with copies`);
      }
      if (this.#isReturningMore && source.placement !== 'local')
        this.#refusals.push('RETURNING of an INSERT has a subquery');
    }
  }

  /** Reads a statement, or one inside another. */
  statement(node: Node, parent: Scope): Scope | undefined {
    const [[kind, body] = ['', {}]] = Object.entries(node) as [string, Node][];
    if (kind === 'SelectStmt') return this.#select(body, parent);
    if (kind === 'InsertStmt' || kind === 'UpdateStmt' || kind === 'DeleteStmt') this.#change(kind, body, parent);
    return undefined;
  }

  #change(kind: string, body: Node, parent: Scope): void {
    const scope: Scope = { sources: [], parent, named: this.#with(body, parent) };
    const target = this.#add(body.relation as Node, scope);
    this.#changed.push(target);
    const {
      selectStmt,
      relation: _,
      withClause: __,
      fromClause,
      usingClause,
      whereClause,
      returningClause,
      ...rest
    } = body;
    for (const item of [...partsOf(fromClause), ...partsOf(usingClause)]) this.#from(item, scope);
    this.#equalities(whereClause, scope);
    for (const part of [whereClause, rest]) this.#inside(part, scope);
    const before = this.#sources.length;
    this.#inside(returningClause, scope);
    if (kind !== 'InsertStmt') return;
    if (this.#sources.slice(before).some(({ placement }) => placement !== undefined)) this.#isReturningMore = true;
    if (selectStmt !== undefined) this.#inserted(target, partsOf(body.cols), selectStmt as Node, scope);
  }

  /** The account of the rows that an INSERT adds. */
  #inserted(target: Source, columns: readonly Node[], selectStmt: Node, scope: Scope): void {
    const before = this.#sources.length;
    const inner = this.statement(selectStmt, { ...scope, sources: [] });
    const isReading = this.#sources.slice(before).some(({ placement }) => placement !== undefined);
    const isOfValues = partsOf((selectStmt.SelectStmt as Node).valuesLists).length > 0;
    if (isReading && isOfValues && target.placement !== 'local') this.#refusals.push('VALUES of an INSERT have a subquery');
    const at = columns.findIndex((column) => (column.ResTarget as Node | undefined)?.name === 'account_id');
    const select = selectStmt.SelectStmt as Node;
    const rows = partsOf(select.valuesLists).map((row) => partsOf((row.List as Node).items)[at]);
    const value = (partsOf(select.targetList)[at]?.ResTarget as Node | undefined)?.val as Node | undefined;
    for (const item of [...rows, value]) this.#equal(target.key, item && inner && this.#keyOf(item, inner));
  }

  #select(body: Node, parent: Scope): Scope {
    const scope: Scope = { sources: [], parent, named: this.#with(body, parent) };
    if (body.larg !== undefined) {
      const within: Scope = { ...scope, sources: [], parent: scope.parent };
      for (const side of [body.larg, body.rarg]) this.#select(side as Node, within);
    }
    if (body.lockingClause !== undefined) this.#isLocking = true;
    for (const item of partsOf(body.fromClause)) this.#from(item, scope);
    this.#equalities(body.whereClause, scope);
    const { withClause: _, larg: __, rarg: ___, fromClause: ____, ...rest } = body;
    this.#inside(rest, scope);
    return scope;
  }

  /** Whether each machine can answer a query of FROM alone: it has rows there, none of which depend on those of other accounts. */
  #isOfMachine(body: Node, sources: readonly Source[]): boolean {
    const isBounded = body.limitCount !== undefined || body.limitOffset !== undefined;
    const isPlain = body.groupClause === undefined && body.distinctClause === undefined;
    const grouping = [...partsOf(body.groupClause), ...partsOf(body.distinctClause)];
    return sources.some(isApart) && !isBounded && (isPlain || grouping.some(isAccount));
  }

  /** The names of a WITH clause, whose statements are read. */
  #with(body: Node, parent: Scope): ReadonlySet<string> {
    const named = new Set(parent.named);
    for (const part of partsOf((body.withClause as Node | undefined)?.ctes)) {
      const { ctename, ctequery } = part.CommonTableExpr as Node;
      if ('InsertStmt' in (ctequery as Node)) this.#isAddingInside = true;
      this.statement(ctequery as Node, { sources: [], parent, named });
      named.add(String(ctename));
    }
    return named;
  }

  #from(item: Node, scope: Scope): void {
    const { RangeVar: table, JoinExpr: join, RangeSubselect: subquery, RangeFunction: made } = item as Record<string, Node>;
    if (table !== undefined) this.#add(table, scope);
    if (made !== undefined) this.#add({ alias: made.alias ?? { aliasname: 'function' } }, scope);
    if (subquery !== undefined) {
      const isLateral = subquery.lateral === true;
      if (isLateral) this.#isLateral = true;
      const inner = this.statement(
        subquery.subquery as Node,
        isLateral ? scope : { sources: [], parent: scope.parent, named: scope.named },
      );
      const body = ((subquery.subquery as Node).SelectStmt ?? {}) as Node;
      this.#add({ alias: subquery.alias }, scope, this.#isOfMachine(body, inner?.sources ?? []));
    }
    if (join === undefined) return;
    const begin = scope.sources.length;
    this.#from(join.larg as Node, scope);
    const before = scope.sources.length;
    this.#from(join.rarg as Node, scope);
    if (join.jointype === 'JOIN_LEFT' && !scope.sources.slice(begin, before).some(isApart)) {
      for (const { alias } of scope.sources.slice(before).filter(isSpread))
        this.#refusalsOfAll.push(`it brings all rows of ${alias} to the coordinator`);
    }
    if (textsOf(join.usingClause).includes('account_id')) {
      this.#equal(scope.sources[0]?.key ?? '', scope.sources[before]?.key);
    }
    this.#equalities(join.quals, scope);
    this.#inside(join.quals, scope);
  }

  #add({ relname, alias }: Node, scope: Scope, isOfMachine = false): Source {
    const name = relname === undefined ? undefined : String(relname);
    const placement = name === undefined || scope.named.has(name) ? undefined : placements[name];
    const shown = String((alias as Node | undefined)?.aliasname ?? name ?? '');
    const source: Source = { alias: shown, placement, key: `${shown} ${this.#sources.length}`, isOfMachine };
    this.#sources.push(source);
    scope.sources.push(source);
    return source;
  }

  /** The statements inside of expressions. */
  #inside(part: unknown, scope: Scope): void {
    if (typeof part !== 'object' || part === null) return;
    if ('SelectStmt' in part) {
      const inner = this.statement(part as Node, { sources: [], parent: scope, named: scope.named });
      const outer = scope.sources.map(({ alias }) => alias);
      const depends = namesIn(part).some((name) => outer.includes(name));
      if (depends && inner?.sources.some(isApart) && !scope.sources.some(isApart))
        this.#refusalsOfAll.push('a subquery over tables of accounts depends on rows that the coordinator has');
    } else for (const inner of Object.values(part)) this.#inside(inner, scope);
  }

  /** Notes which accounts a condition makes equal. */
  #equalities(condition: unknown, scope: Scope): void {
    const { BoolExpr: both, A_Expr: comparison } = (condition ?? {}) as Record<string, Node>;
    if (both?.boolop === 'AND_EXPR') for (const part of partsOf(both.args)) this.#equalities(part, scope);
    if (comparison === undefined || textsOf(comparison.name)[0] !== '=') return;
    const [left, right] = [comparison.lexpr, comparison.rexpr].map((side) => this.#keyOf(side as Node, scope));
    if (left !== undefined) this.#equal(left, right);
  }

  #equal(key: string, other: string | undefined): void {
    if (other !== undefined) this.#classes.join(key, other);
  }

  /** What stands for an account: a parameter, or the column of a source. */
  #keyOf(node: Node, scope: Scope): string | undefined {
    const { TypeCast: cast, ParamRef: parameter, ColumnRef: column } = node as Record<string, Node>;
    if (cast !== undefined) return this.#keyOf(cast.arg as Node, scope);
    if (parameter !== undefined) return `$${parameter.number}`;
    if (column === undefined) return undefined;
    const names = textsOf(column.fields);
    if (names.at(-1) !== 'account_id') return undefined;
    const alias = names.length > 1 ? names[0] : undefined;
    for (let at: Scope | undefined = scope; at !== undefined; at = at.parent) {
      const found = at.sources.find((source) =>
        alias === undefined ? source.placement !== undefined : source.alias === alias,
      );
      if (found !== undefined) return found.key;
    }
    return undefined;
  }
}
