/** The cases of the conformance test, as the JSON files have them. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a header has to be: this text, absent, of this form, or the same as or another than one before. */
export type HeaderRule =
  | string
  | null
  | { readonly matches: string }
  | { readonly save: string }
  | { readonly same: string }
  | { readonly differs: string };

export interface AssertionRule {
  /** Null: no nonce. */
  readonly nonce: string | null;
  readonly clientId: string;
  readonly scope: string;
  /** The key of the case: the same one in every assertion under this name. */
  readonly key: string;
  /** The parameter of the form, or the member of the body, that has it; `assertion` unless given. */
  readonly in?: string;
  /** What else it says. */
  readonly claims?: Readonly<Record<string, string>>;
}

export interface ExpectedRequest {
  readonly method: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, HeaderRule>>;
  /** The whole body, as JSON. */
  readonly body?: unknown;
  /** A body whose `ops` take one document to the other. */
  readonly patches?: { readonly from: unknown; readonly to: unknown };
  /** What the assertion of a guest has to say, in the `assertion` of a form; the address of the service is checked without being named. */
  readonly assertion?: AssertionRule;
  /** Parameters that a form has. */
  readonly form?: Readonly<Record<string, string>>;
  /** Parameters that a form does not have. */
  readonly withoutForm?: readonly string[];
  /** A text that the body has. */
  readonly contains?: string;
  /** The version to go on from, by `since` or by `Last-Event-ID`; null for none. */
  readonly since?: number | null;
  /** Earliest time after the response before. */
  readonly notBeforeMs?: number;
}

export type Reply =
  /** The connection is cut: whether the request was carried out is unknown to the client. */
  | 'cut'
  /** There is no response while the case lasts. */
  | 'hold'
  | {
      readonly status?: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
      readonly text?: string;
      /** Pieces of an event stream, which stays open unless it is ended after them. */
      readonly stream?: readonly string[];
      readonly end?: boolean;
    };

export interface Exchange {
  readonly request: ExpectedRequest;
  readonly response: Reply;
  /** Whether a client may do without it, and send the next request. */
  readonly optional?: true;
}

/** What the driver is to do. */
export interface Call extends Readonly<Record<string, unknown>> {
  readonly call: string;
}

export interface Step extends Readonly<Record<string, unknown>> {
  readonly call?: string;
  /** Several calls at once, instead of one. */
  readonly calls?: readonly Call[];
  /** The requests that have to come, and their responses. */
  readonly exchanges?: readonly Exchange[];
  readonly inAnyOrder?: boolean;
  /** Streams are cut after the step: a client that has the event may lose the connection. */
  readonly cut?: boolean;
  /** What the call has to return; members that are not named may be anything. */
  readonly result?: unknown;
  readonly error?: Readonly<Record<string, unknown>>;
}

export interface Case {
  readonly name: string;
  /** Tokens that the client has from a sign-in before, or an access token alone, instead of an API key. */
  readonly session?: Readonly<Record<string, unknown>>;
  /** Whether the client is a guest on a device without a key. */
  readonly guest?: true;
  /** Where the login page sends a guest back who signs up. */
  readonly redirectUri?: string;
  readonly steps: readonly Step[];
}

/** Reads all cases. */
export function readCases(): readonly Case[] {
  return ['state', 'session', 'changes', 'players', 'guests', 'upgrade'].flatMap((name) =>
    JSON.parse(readFileSync(join(import.meta.dirname, `${name}.json`), 'utf8')),
  );
}
