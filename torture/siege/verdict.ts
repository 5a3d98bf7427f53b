/**
 * Judges the measurements of an attack by the bounds. Pure.
 *
 * The machine's own slowness is excused: waits exclude the time for which the server or the watching process had no processor, and are
 * relative to the longest wait of an earlier time without attack.
 */
import { mebibytes } from '../../tooling/readings.ts';
import type { Finding, Tolerance } from './case.ts';
import type { Wait, Watched } from './watch.ts';

/** The goals of every row. The tolerance of a run says how much a row may exceed them. */
export const bounds = {
  /** Longest wait of others for `GET /healthz`. */
  waitMilliseconds: 50,
  /** Growth of the process. */
  growthMebibytes: 128,
  /** Longest time until another account's write has succeeded. */
  writeMilliseconds: 1_000,
} as const;

export interface Figures {
  /** In addition to the baseline. */
  readonly waitMilliseconds: number;
  readonly growthMebibytes: number;
  /** In addition to the baseline. */
  readonly writeMilliseconds: number;
}

export interface Verdict {
  readonly figures: Figures;
  /** Broken promises, one line each; empty if there are none. */
  readonly faults: readonly string[];
}

/** Whether figures exceed the goals, though perhaps within the tolerance. */
export const missesGoal = ({ waitMilliseconds, growthMebibytes, writeMilliseconds }: Figures): boolean =>
  waitMilliseconds > bounds.waitMilliseconds ||
  growthMebibytes > bounds.growthMebibytes ||
  writeMilliseconds > bounds.writeMilliseconds;

export interface Evidence {
  /** Measured during the attack and shortly after it. */
  readonly attacked: Watched;
  /** Measured without attack. */
  readonly baseline: Watched;
  /** Of the idle server, in bytes. */
  readonly residentBytesBefore: number;
  readonly finding: Finding;
  /** The tolerance of the bounds, unless the machine is known to do nothing else. */
  readonly tolerance: Tolerance;
}

/** The most that a baseline excuses: a freeze is noticed however busy the machine is. */
const excusedMillisecondsMax = 50;

/** Returns the figures and their faults. */
export function verdictOf({ attacked, baseline, residentBytesBefore, finding, tolerance }: Evidence): Verdict {
  const longest = ({ waits }: Watched) => waits[0]?.milliseconds ?? 0;
  const beyond = (milliseconds: number, usual: number) =>
    Math.max(0, Math.round(milliseconds - Math.min(usual, excusedMillisecondsMax)));
  const figures: Figures = {
    waitMilliseconds: beyond(longest(attacked), longest(baseline)),
    growthMebibytes: Math.max(0, mebibytes(attacked.residentBytesPeak - residentBytesBefore)),
    writeMilliseconds: beyond(attacked.longestWriteMilliseconds, baseline.longestWriteMilliseconds),
  };
  const { failedProbes, probes, firstFailure } = attacked;
  return {
    figures,
    faults: [
      ...(figures.waitMilliseconds > bounds.waitMilliseconds + tolerance.waitMilliseconds
        ? [`others waited ${figures.waitMilliseconds} ms`]
        : []),
      ...(figures.growthMebibytes > bounds.growthMebibytes + tolerance.growthMebibytes
        ? [`the server grew by ${figures.growthMebibytes} MiB`]
        : []),
      ...(figures.writeMilliseconds > bounds.writeMilliseconds + tolerance.writeMilliseconds
        ? [`a write of somebody else took ${figures.writeMilliseconds} ms`]
        : []),
      ...(attacked.writes === 0 ? ['no write of somebody else succeeded'] : []),
      ...(failedProbes > 0 ? [`${failedProbes} of ${probes} probes of others failed: ${firstFailure}`] : []),
      ...(finding.faults ?? []),
    ],
  };
}

export interface InputWait {
  readonly name: string;
  readonly milliseconds: number;
}

/** The inputs pending while others waited longest, each with the longest wait, the worst first. */
export function worstInputs({ inputs = [] }: Finding, waits: readonly Wait[], count: number): InputWait[] {
  const longest = new Map<string, number>();
  for (const { name, from, to } of inputs) {
    // Waits are sorted, longest first.
    const wait = waits.find(({ at, milliseconds }) => at < to && at + milliseconds > from);
    if (wait !== undefined) longest.set(name, Math.max(longest.get(name) ?? 0, wait.milliseconds));
  }
  return [...longest]
    .map(([name, milliseconds]) => ({ name, milliseconds: Math.round(milliseconds) }))
    .sort((one, two) => two.milliseconds - one.milliseconds)
    .slice(0, count);
}
