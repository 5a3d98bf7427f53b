/** The results of a suite, as a table for people and as measurements for programs. */

import { median, spread } from '../tooling/statistics.ts';
import type { Measurement } from './server-process.ts';

export interface Report {
  readonly title: string;
  readonly columns: readonly string[];
  readonly rows: readonly (readonly string[])[];
  /** Notes on the table, and further measurements. */
  readonly notes: readonly string[];
  readonly measurements: Readonly<Record<string, unknown>>;
}

export interface RatioTarget {
  readonly target: number;
  readonly moonshot?: number;
  /** Whether it is a ratio of processor time instead of the rate. */
  readonly byCpu?: boolean;
}

/** The columns of {@link ratioRow}. */
export const ratioColumns = ['case', 'requests/s', 'floor/s', 'ratio', 'spread', 'by CPU', 'target'] as const;

/**
 * A row that compares measurements with those of the floor, round by round. The ratio is that of the rates; "by CPU" is that of the
 * processor time per request, which other work on the machine disturbs less.
 */
export function ratioRow(
  name: string,
  measured: readonly Measurement[],
  floor: readonly Measurement[],
  target?: RatioTarget,
): string[] {
  const perRound = (value: (ours: Measurement, theirs: Measurement) => number) =>
    measured.map((ours, round) => value(ours, floor[round] as Measurement));
  const ratio = spread(perRound((ours, theirs) => ours.requestsPerSecond / theirs.requestsPerSecond));
  const byCpu = median(perRound((ours, theirs) => theirs.cpuMicrosecondsPerRequest / ours.cpuMicrosecondsPerRequest));
  const reached = target?.byCpu ? byCpu : ratio.median;
  return [
    name,
    rate(measured),
    rate(floor),
    digits(ratio.median),
    `${digits(ratio.low)} – ${digits(ratio.high)}`,
    digits(byCpu),
    target === undefined
      ? ''
      : verdict(`${target.byCpu ? 'CPU ' : ''}≥ ${target.target}`, reached >= target.target, target, reached),
  ];
}

/** A target and whether it was reached. */
export function verdict(text: string, reached: boolean, target?: RatioTarget, value = 0): string {
  const isMoonshot = target?.moonshot !== undefined && value >= target.moonshot;
  return `${text} ${isMoonshot ? `reached, and ${target.moonshot}` : reached ? 'reached' : 'missed'}`;
}

/** The median rate of some measurements, in requests per second. */
export function rate(measurements: readonly Measurement[]): string {
  return count(median(measurements.map(({ requestsPerSecond }) => requestsPerSecond)));
}

/** The median of `value` over some measurements. */
export function medianOf(measurements: readonly Measurement[], value: (measurement: Measurement) => number): number {
  return median(measurements.map(value));
}

/** The latencies of some measurements, for people. */
export function printLatency(measurements: readonly Measurement[]): string {
  const latency = (name: 'p50' | 'p99') => medianOf(measurements, ({ report }) => report.latencyMicroseconds[name]) / 1000;
  return `p50 ${digits(latency('p50'))} ms, p99 ${digits(latency('p99'))} ms`;
}

/** A whole number with commas between thousands. */
export function count(value: number): string {
  return Math.round(value).toLocaleString('en-US');
}

/** A number with at least three significant digits. */
export function digits(value: number): string {
  return value >= 100 ? count(value) : value.toPrecision(3);
}

/** The report as aligned text. */
export function printReport({ title, columns, rows, notes }: Report): string {
  const all = [columns, ...rows];
  const widths = columns.map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) => (column === 0 ? cell.padEnd(widths[0] ?? 0) : cell.padStart(widths[column] ?? 0)))
      .join('   ');
  const rule = widths.map((width) => '─'.repeat(width)).join('   ');
  return [`\n${title}`, '', line(columns), rule, ...rows.map(line), '', ...notes.map((note) => `· ${note}`)].join('\n');
}

/** The report as Markdown. */
export function markdownReport({ title, columns, rows, notes }: Report): string {
  const line = (row: readonly string[]) => `|${row.join('|')}|`;
  const rule = `|${columns.map((_, column) => (column === 0 ? '---' : '---:')).join('|')}|`;
  return [`### ${title}`, '', line(columns), rule, ...rows.map(line), '', ...notes.map((note) => `- ${note}`)].join('\n');
}
