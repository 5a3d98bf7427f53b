/**
 * Finds the operation of a request. Paths are compared segment by segment as they were sent: nothing is decoded here, since
 * a segment that is data (an end-user id with `%2F`) must reach its operation as it stood, and one that is malformed must be
 * refused by its operation and not by the router.
 */
import { type Method, type Operation, type OperationId, operations } from '@holdfast/contract';

export interface Route {
  readonly id: OperationId;
  readonly operation: Operation;
  /** Names of the path parameters, in the order of the path. */
  readonly parameters: readonly string[];
}

/** Where a path leads: the route of each method, and the raw path segments that stood for parameters, in order. */
export interface Match {
  readonly routes: ReadonlyMap<string, Route>;
  readonly segments: readonly string[];
}

interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  readonly routes: Map<Method, Route>;
}

const newNode = (): Node => ({ literals: new Map(), parameter: undefined, routes: new Map() });

export interface Router {
  /** The match of a path (no query), or undefined when no operation has such a path. Literal segments go before parameters. */
  find(path: string): Match | undefined;
}

/** Builds the router of the operations named. */
export function createRouter(ids: readonly OperationId[]): Router {
  const root = newNode();
  for (const id of ids) insert(root, id, operations[id]);
  return { find: (path) => find(root, path) };
}

function insert(root: Node, id: OperationId, operation: Operation): void {
  const parameters: string[] = [];
  let node = root;
  for (const segment of operation.path.slice(1).split('/')) {
    if (segment.startsWith('{')) {
      parameters.push(segment.slice(1, -1));
      node.parameter ??= newNode();
      node = node.parameter;
    } else {
      const child = node.literals.get(segment) ?? newNode();
      node.literals.set(segment, child);
      node = child;
    }
  }
  node.routes.set(operation.method, { id, operation, parameters });
}

/**
 * Walks the tree, one segment at a time. A literal is never tried again as a parameter: `/v1/auth/x` is not an account
 * named `auth`, which no account can be.
 */
function find(root: Node, path: string): Match | undefined {
  if (path.charCodeAt(0) !== 47) return undefined;
  const segments: string[] = [];
  let node: Node = root;
  let start = 1;
  for (;;) {
    const slash = path.indexOf('/', start);
    const segment = slash < 0 ? path.slice(start) : path.slice(start, slash);
    const literal = node.literals.get(segment);
    if (literal !== undefined) {
      node = literal;
    } else if (node.parameter !== undefined && segment !== '') {
      segments.push(segment);
      node = node.parameter;
    } else {
      return undefined;
    }
    if (slash < 0) break;
    start = slash + 1;
  }
  return node.routes.size === 0 ? undefined : { routes: node.routes, segments };
}
