/**
 * Finds a request's operation. Paths are compared segment by segment as sent, without decoding: a segment that is data (a player id with
 * `%2F`) must reach its operation unchanged, and the operation, not the router, must refuse a malformed one.
 */
import { type Method, type Operation, type OperationId, operations } from '@holdfast/contract';
import type { Awaitable } from '../common/async/awaitable.ts';
import { Refusal } from '../common/requests/refusal.ts';
import { isAdmitted } from '../storage/caches/cache-admission.ts';
import type { CheckedRequest, Handlers } from './operation-request.ts';
import { type PathParameters, readPathParameters, type SegmentName, segmentName } from './path-parameters.ts';
import { errorReply } from './replies/error-reply.ts';
import type { Reply } from './replies/reply.ts';
import { recordReader } from './wire/record-body.ts';

type RouteHandler = (request: CheckedRequest) => Awaitable<Reply>;

export interface Route {
  readonly id: OperationId;
  readonly operation: Operation;
  readonly handler: RouteHandler;
  /** Whether its requests count towards their account's monthly quota. */
  readonly isMetered: boolean;
  /** Names of the path parameters, in path order. */
  readonly parameters: readonly SegmentName[];
  /** Checks a parsed body against the operation's schema, if it reads a record. */
  readonly readRecord: ((body: unknown) => Promise<unknown>) | undefined;
}

/** A path's match: the route of each method, and the raw segments of its parameters. */
export class Match {
  readonly routes: ReadonlyMap<string, Route>;
  readonly #segments: readonly string[];
  readonly #parameters = new Map<Route, PathParameters>();

  constructor(routes: ReadonlyMap<string, Route>, segments: readonly string[]) {
    this.routes = routes;
    this.#segments = segments;
  }

  /** The path parameters of one of the routes. Refuses `validation_error`, naming the first malformed segment. */
  parameters(route: Route): PathParameters {
    const known = this.#parameters.get(route);
    if (known !== undefined) return known;
    const parameters = Object.freeze(readPathParameters(route.parameters, this.#segments));
    this.#parameters.set(route, parameters);
    return parameters;
  }

  /** The path's methods, in the format of the header `Allow`. */
  allow(): string {
    const methods = [...this.routes.keys()];
    return [...methods, ...(this.routes.has('GET') ? ['HEAD'] : []), 'OPTIONS'].join(', ');
  }
}

/** Matches kept for frequent paths. A walk takes 1.5 us. */
const keptMatchesMax = 5_000;
const keptPathCharactersMax = 256;

interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  /** A parameter between fixed beginning and end of a segment. */
  affixed: { readonly before: string; readonly after: string; readonly node: Node } | undefined;
  /** Routes whose last parameter is the rest of the path. */
  readonly rest: Map<Method, Route>;
  readonly routes: Map<Method, Route>;
}

const newNode = (): Node => ({
  literals: new Map(),
  parameter: undefined,
  affixed: undefined,
  rest: new Map(),
  routes: new Map(),
});

export interface Router {
  /**
   * The match of a path (without query), or undefined if no operation has such a path. Literal segments take precedence over parameters.
   */
  find(path: string): Match | undefined;
}

/** Creates a router for the operations that have a handler. */
export function createRouter(handlers: Handlers): Router {
  const root = newNode();
  // The pipeline fills the context as the operation's entry requires, and the handler's type follows from the same entry.
  for (const [id, handler] of Object.entries(handlers) as [OperationId, RouteHandler][]) insert(root, id, handler);

  const kept = new Map<string, Match>();
  return {
    find(path) {
      const known = kept.get(path);
      if (known !== undefined) return known;
      const match = find(root, path);
      if (match !== undefined && path.length <= keptPathCharactersMax && isAdmitted()) {
        if (kept.size >= keptMatchesMax) kept.clear();
        kept.set(path, match);
      }
      return match;
    },
  };
}

function insert(root: Node, id: OperationId, handler: RouteHandler): void {
  const operation: Operation = operations[id];
  const parameters: SegmentName[] = [];
  let node = root;
  const segments = operation.path.slice(1).split('/');
  if (operation.hasRest) parameters.push(segmentName((segments.pop() as string).slice(1, -1)));
  for (const segment of segments) {
    const [, before = '', name, after = ''] = /^(.*)\{(\w+)\}(.*)$/.exec(segment) ?? [];
    if (name !== undefined) {
      parameters.push(segmentName(name));
      node = parameterNode(node, before, after);
    } else {
      const child = node.literals.get(segment) ?? newNode();
      node.literals.set(segment, child);
      node = child;
    }
  }
  const { body, precondition } = operation;
  const readsRecord = body?.mediaType === 'application/json' && !precondition;
  const readRecord = readsRecord ? recordReader(body.schema) : undefined;
  const routes = operation.hasRest ? node.rest : node.routes;
  const isMetered = operation.quotaCodes?.includes('QUOTA_API_REQUESTS') ?? false;
  routes.set(operation.method, { id, operation, handler, isMetered, parameters, readRecord });
}

/** The node below a parameter that is a whole segment, or is between a beginning and an end. */
function parameterNode(parent: Node, before: string, after: string): Node {
  if (before + after === '') {
    parent.parameter ??= newNode();
    return parent.parameter;
  }
  parent.affixed ??= { before, after, node: newNode() };
  return parent.affixed.node;
}

function find(root: Node, path: string): Match | undefined {
  if (path.charCodeAt(0) !== 47) return undefined;
  return walk(root, path, 1, []);
}

/**
 * Walks down the tree from the segment that begins at `start`: by its literal if that leads to a route, otherwise by the parameter. A
 * malformed account id is therefore refused as an account id even if it looks like the beginning of another route. The tree has nine
 * levels, however long the path is.
 */
function walk(node: Node, path: string, start: number, segments: readonly string[]): Match | undefined {
  const slash = path.indexOf('/', start);
  const segment = slash < 0 ? path.slice(start) : path.slice(start, slash);
  const follow = (child: Node, passed: readonly string[]): Match | undefined => {
    if (slash >= 0) return walk(child, path, slash + 1, passed);
    return child.routes.size === 0 ? undefined : new Match(child.routes, passed);
  };
  const literal = node.literals.get(segment);
  const match = literal === undefined ? undefined : follow(literal, segments);
  if (match !== undefined) return match;
  if (node.rest.size > 0) return new Match(node.rest, [...segments, path.slice(start)]);
  const between = node.affixed && affixedValue(node.affixed, segment);
  if (node.affixed !== undefined && between !== undefined) return follow(node.affixed.node, [...segments, between]);
  return node.parameter && follow(node.parameter, [...segments, segment]);
}

/** The text between the ends of a segment, or undefined if the segment has others. */
function affixedValue({ before, after }: { before: string; after: string }, segment: string): string | undefined {
  const isLongEnough = segment.length >= before.length + after.length;
  if (!isLongEnough || !segment.startsWith(before) || !segment.endsWith(after)) return undefined;
  return segment.slice(before.length, segment.length - after.length);
}

/** The refusal of an unknown path. @see docs/contract.md §2.2 */
export function noSuchPath(): Refusal {
  return new Refusal('not_found', 'there is nothing at this path');
}

/** The reply to a method that a path does not support. @see docs/contract.md §2.2 */
export function methodNotAllowed(method: string, match: Match): Reply {
  return errorReply('method_not_allowed', `this path does not take ${method}`, { headers: ['Allow', match.allow()] });
}
