/** Conformance test cases, as in the JSON files. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Expected value of a header: this string, null if absent, a pattern, or the same as or different from an earlier value. */
export type HeaderRule =
  | string
  | null
  | { readonly matches: string }
  | { readonly save: string }
  | { readonly same: string }
  | { readonly differs: string };

export interface AssertionRule {
  /** Null if there is no nonce. */
  readonly nonce: string | null;
  readonly clientId: string;
  readonly scope: string;
  /** Name of the signing key: assertions with the same name must use the same key. */
  readonly key: string;
  /** Form parameter or body member with the assertion; by default `assertion`. */
  readonly in?: string;
  /** Further claims. */
  readonly claims?: Readonly<Record<string, string>>;
}

export interface ExpectedRequest {
  readonly method: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, HeaderRule>>;
  /** The complete JSON body. */
  readonly body?: unknown;
  /** The `ops` of the body must turn one document into the other. */
  readonly patches?: { readonly from: unknown; readonly to: unknown };
  /** Expected content of a guest's assertion. Its audience is always checked, without being named. */
  readonly assertion?: AssertionRule;
  /** Expected form parameters. */
  readonly form?: Readonly<Record<string, string>>;
  /** Forbidden form parameters. */
  readonly withoutForm?: readonly string[];
  /** A string in the body. */
  readonly contains?: string;
  /** The version to resume from, in `since` or `Last-Event-ID`; null for none. */
  readonly since?: number | null;
  /** Earliest time after the previous response. */
  readonly notBeforeMs?: number;
}

export type Reply =
  /** The connection is cut: the client cannot know whether the request took effect. */
  | 'cut'
  /** The request gets no response during the case. */
  | 'hold'
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
      readonly text?: string;
      /** Pieces of an event stream. It stays open afterwards, unless `end` is set. */
      readonly stream?: readonly string[];
      readonly end?: boolean;
    };

export interface Exchange {
  readonly request: ExpectedRequest;
  readonly response: Reply;
  /** Whether a client may skip this request. */
  readonly optional?: true;
}

/** A task for the driver. */
export interface Call extends Readonly<Record<string, unknown>> {
  readonly call: string;
}

export interface Step extends Readonly<Record<string, unknown>> {
  readonly call?: string;
  /** Several concurrent calls, instead of one. */
  readonly calls?: readonly Call[];
  /** Expected requests and their responses. */
  readonly exchanges?: readonly Exchange[];
  readonly inAnyOrder?: boolean;
  /** Cuts streams after the step: a client may lose the connection after it has the event. */
  readonly cut?: boolean;
  /** Expected result of the call; unnamed members may have any value. */
  readonly result?: unknown;
  readonly error?: Readonly<Record<string, unknown>>;
}

export interface Case {
  readonly name: string;
  /** Tokens from an earlier sign-in, or only an access token, instead of an API key. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** Whether the client is a guest on a new device. */
  readonly guest?: true;
  /** Redirect URI of a guest's sign-up. */
  readonly redirectUri?: string;
  readonly steps: readonly Step[];
}

/** Reads all cases. */
export function readCases(): readonly Case[] {
  return ['state', 'session', 'changes', 'players', 'guests', 'upgrade'].flatMap((name) =>
    JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8')),
  );
}
