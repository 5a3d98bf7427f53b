/** Counts the stored documents that violate a schema, slice by slice while the page is open. */
import { ApiError, type CallResult } from '@holdfast/contract/call';
import type { JsonValue } from '@holdfast/json';
import { useEffect, useState } from 'react';
import { call } from '../../api/http.ts';
import type { SchemaKey, SchemaViolationCount } from '../../api/schemas.ts';
import { formatNumber, textsOf } from '../../texts/index.ts';
import { Button, Notice } from '../../ui/controls.tsx';
import { Fault } from '../../ui/fault.tsx';
import { ViolationTable } from './violation-table.tsx';

const [useSchemaTexts] = textsOf('schemas');

interface Scanned {
  readonly checked: number;
  readonly failing: number;
  readonly samples: readonly SchemaViolationCount[];
  /** `waiting`: for another scan in the account. */
  readonly state: 'under_way' | 'waiting' | 'done' | 'stopped';
}

const nothing: Scanned = { checked: 0, failing: 0, samples: [], state: 'under_way' };
const samplesMax = 5;
/** An account has one scan at a time, so a slice that finds another is tried again this often. */
const againMs = 750;

/** Validates all stored documents, and calls `onSlice` after each slice. It waits while another scan runs. Rejects like `call`. */
async function scanAll(
  key: SchemaKey,
  schema: JsonValue,
  signal: AbortSignal,
  onSlice: (so: Scanned) => void,
): Promise<void> {
  let so = nothing;
  let cursor: string | null = null;
  let isOver = false;
  let refusals = 0;
  while (!isOver && !signal.aborted) {
    const answer: CallResult<'checkSchema'> | 'busy' = await call('checkSchema', {
      params: key,
      body: { schema, scan: true, cursor },
      signal,
    }).catch(busyOrThrow);
    if (answer === 'busy') {
      refusals++;
      // A slice that has just been left is over when it is tried again.
      if (!signal.aborted && refusals > 1) onSlice({ ...so, state: 'waiting' });
      await new Promise((resolve) => setTimeout(resolve, againMs));
      continue;
    }
    refusals = 0;
    const { stored }: CallResult<'checkSchema'> = answer;
    if (stored === undefined) break;
    cursor = stored.cursor;
    isOver = cursor === null;
    const samples = together(so.samples, stored.samples);
    const [checked, failing] = [so.checked + stored.checked, so.failing + stored.failing];
    so = { checked, failing, samples, state: 'under_way' };
    if (!signal.aborted) onSlice(so);
  }
  if (!signal.aborted) onSlice({ ...so, state: 'done' });
}

/** Returns `busy` if the account already has a scan under way; otherwise throws. */
function busyOrThrow(error: unknown): 'busy' {
  if (error instanceof ApiError && error.code === 'limit_reached') return 'busy';
  throw error;
}

/** Combines equal locations, the most frequent first. */
function together(
  some: readonly SchemaViolationCount[],
  more: readonly SchemaViolationCount[],
): readonly SchemaViolationCount[] {
  const all = new Map<string, SchemaViolationCount>();
  for (const sample of [...some, ...more]) {
    const name = `${sample.schemaLocation} ${sample.path}`;
    all.set(name, { ...sample, count: sample.count + (all.get(name)?.count ?? 0) });
  }
  return [...all.values()].sort((one, other) => other.count - one.count).slice(0, samplesMax);
}

interface ScanProps {
  readonly schemaKey: SchemaKey;
  readonly schema: JsonValue;
  /** Called once everything is checked, with how many documents break a rule. */
  readonly onDone?: (failing: number) => void;
  /** Called when it starts or stops waiting for another scan. */
  readonly onWait?: (isWaiting: boolean) => void;
}

/** Starts automatically, and again when the schema changes. */
export function Scan({ schemaKey, schema, onDone, onWait }: ScanProps) {
  const s = useSchemaTexts();
  const [scanned, setScanned] = useState(nothing);
  const [fault, setFault] = useState<unknown>();
  const [run, setRun] = useState(0);
  const [ending, setEnding] = useState<AbortController>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another run begins again
  useEffect(() => {
    const controller = new AbortController();
    setEnding(controller);
    setScanned(nothing);
    setFault(undefined);
    scanAll(schemaKey, schema, controller.signal, setScanned).catch((error: unknown) => {
      if (!controller.signal.aborted) setFault(error);
    });
    return () => controller.abort();
  }, [schemaKey, schema, run]);
  const isDone = scanned.state === 'done';
  // biome-ignore lint/correctness/useExhaustiveDependencies: said once of each run
  useEffect(() => {
    if (isDone) onDone?.(scanned.failing);
  }, [isDone]);
  const isWaiting = scanned.state === 'waiting';
  useEffect(() => {
    onWait?.(isWaiting);
    return () => onWait?.(false);
  }, [isWaiting, onWait]);
  const again = () => setRun(run + 1);
  const stop = () => {
    ending?.abort();
    setScanned({ ...scanned, state: 'stopped' });
  };
  const checked = formatNumber(scanned.checked);
  if (fault !== undefined) return <Fault error={fault} onRetry={again} />;
  return (
    <div className="scan" aria-live="polite">
      {scanned.state === 'under_way' && (
        <Notice action={<Button onClick={stop}>{s.scanStop}</Button>}>
          {s.scanning(checked)} {scanned.failing > 0 && s.savesFail(formatNumber(scanned.failing), checked)}
        </Notice>
      )}
      {isWaiting && <Notice action={<Button onClick={stop}>{s.scanSkip}</Button>}>{s.scanBusy}</Notice>}
      {scanned.state === 'stopped' && (
        <Notice action={<Button onClick={again}>{s.scanAgain}</Button>}>
          {scanned.checked === 0 ? s.scanSkipped : s.scanStopped(checked)}
        </Notice>
      )}
      {(isDone || scanned.state === 'stopped') && <Outcome schemaKey={schemaKey} schema={schema} scanned={scanned} />}
    </div>
  );
}

interface OutcomeProps {
  readonly schemaKey: SchemaKey;
  readonly schema: JsonValue;
  readonly scanned: Scanned;
}

function Outcome({ schemaKey, schema, scanned: { checked, failing, samples, state } }: OutcomeProps) {
  const s = useSchemaTexts();
  const isUserState = schemaKey.kind === 'user-state';
  if (failing === 0) {
    if (state === 'stopped') return null;
    const good = isUserState ? s.savesBreakNone(checked, formatNumber(checked)) : s.documentBreaksNone;
    return <Notice kind="good">{checked === 0 ? s.nothingStored : good}</Notice>;
  }
  return (
    <>
      <Notice kind="warn" title={isUserState ? s.savesFail(formatNumber(failing), formatNumber(checked)) : s.documentFails}>
        {isUserState ? s.savesFailText : s.documentFailsText}
      </Notice>
      <ViolationTable schemaKey={schemaKey} schema={schema} items={samples} countName={isUserState ? s.saves : undefined} />
    </>
  );
}
