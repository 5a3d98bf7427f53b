/** Checks a document against its environment's schema and flag evaluation, while it is typed and before it is saved. */
import type { SchemaMode } from '@holdfast/contract';
import { isJsonObject, type JsonObject, pointerOf } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { projectsQuery } from '../api/queries.ts';
import { checkDocument, type SchemaKey, schemaQuery } from '../api/schemas.ts';
import type { StateKey, StateRecord } from '../api/state.ts';
import type { DocumentText, Finding } from '../json-text/document-text.ts';
import { textsNow } from '../texts/index.ts';
import { violationText } from '../texts/violations.ts';
import { flagSentence } from '../ui/flag-sentence.ts';

const none: readonly Finding[] = [];
/** Keys pressed faster than this are one check. A slow check waits for a pause half as long as the last one took. */
const pauseMs = 100;
const pauseMsMax = 2_000;

/** Whether a document contains something to validate without a schema. */
const hasFlags = (value: JsonObject): boolean => Object.hasOwn(value, 'flags') && isJsonObject(value.flags ?? null);

/** The service finds no more violations than this. */
const violationsMax = 20;

/** Whether there may be more than these. */
export const areCut = (findings: readonly Finding[]): boolean =>
  findings.filter(({ flag }) => flag === undefined).length >= violationsMax;

export interface Findings {
  /** The faults found last; none while the text is not a document, or if nothing validates it. */
  readonly findings: readonly Finding[];
  /** Whether the document has changed since, so that they may be others. */
  readonly isChecking: boolean;
}

/** Returns the faults of a document in a text. */
export function useFindings(stateKey: StateKey, read: DocumentText): Findings {
  const key = useMemo((): SchemaKey => ({ ...stateKey, kind: 'public-state' }), [stateKey]);
  const { data: schema, isError } = useQuery(schemaQuery(key));
  const [checked, setChecked] = useState<{ readonly value: JsonObject | undefined; readonly findings: typeof none }>();
  const lastMs = useRef(0);
  const { data: projects } = useQuery(projectsQuery(stateKey.accountId));
  const isFlagRefused = projects?.find(({ slug }) => slug === stateKey.slug)?.flagsCheck === 'enforce';
  // While the schema is read, nothing is checked, so that a document is not checked twice.
  const mode = schema === undefined && !isError ? undefined : (schema?.mode ?? 'off');
  const value = read.kind === 'document' && !read.isTooLarge ? read.value : undefined;
  useEffect(() => {
    const end = (findings: readonly Finding[]) => setChecked({ value, findings });
    if (mode === undefined) return;
    if (value === undefined || (mode === 'off' && !hasFlags(value))) return end(none);
    const ending = new AbortController();
    const check = async () => {
      const begin = performance.now();
      end(await findingsIn(key, value, { mode, isFlagRefused }, ending.signal));
      lastMs.current = performance.now() - begin;
    };
    // If the check fails now, saving reports the faults.
    const failed = () => ending.signal.aborted || end(none);
    const timer = setTimeout(() => void check().catch(failed), Math.min(Math.max(lastMs.current / 2, pauseMs), pauseMsMax));
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [key, mode, value, isFlagRefused]);
  return { findings: checked?.findings ?? none, isChecking: value !== undefined && checked?.value !== value };
}

interface Strictness {
  readonly mode: SchemaMode;
  /** Whether faults of flags are refused. */
  readonly isFlagRefused: boolean;
}

/** Returns the faults of a document. Rejects like `call`. */
export async function findingsIn(
  key: SchemaKey,
  value: JsonObject,
  { mode, isFlagRefused }: Strictness,
  signal?: AbortSignal,
): Promise<readonly Finding[]> {
  const { violations, flags } = await checkDocument(key, value, signal);
  const severity = mode === 'enforce' ? ('error' as const) : ('warning' as const);
  return [
    ...(mode === 'off' ? [] : violations.map((one) => ({ path: one.path, message: violationText(one), severity }))),
    ...flags.map(({ flag, message }) => ({
      path: flagPath(flag),
      flag,
      message: flagSentence(textsNow(), flag, message),
      severity: isFlagRefused ? ('error' as const) : ('warning' as const),
    })),
  ];
}

/** Returns the findings of a document that a stored version has too; none while unknown. */
export function useEarlierFindings(
  stateKey: StateKey,
  base: StateRecord | null,
  findings: readonly Finding[],
): ReadonlySet<Finding> {
  const { data: before = none } = useQuery({
    queryKey: ['findings', stateKey, base?.version],
    queryFn: ({ signal }) =>
      base === null
        ? none
        : findingsIn({ ...stateKey, kind: 'public-state' }, base.state, { mode: 'report', isFlagRefused: false }, signal),
    enabled: base !== null && findings.length > 0,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const isSame = (one: Finding, other: Finding) => one.path === other.path && one.message === other.message;
  return new Set(findings.filter((finding) => before.some((earlier) => isSame(finding, earlier))));
}

const flagPath = (flag: string): string => pointerOf(flag === '' ? ['flags'] : ['flags', flag]);
