/** The page with the results of a complete run. */
import { readFileSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, loadavg, release, totalmem } from 'node:os';
import type { Flags, StoreName } from './flags.ts';
import { markdownReport, type Report } from './report.ts';

const page = `${import.meta.dirname}/../docs/performance.md`;
const marksOf: Readonly<Record<StoreName, readonly [begin: string, end: string]>> = {
  embedded: ['<!-- bench:begin -->', '<!-- bench:end -->'],
  postgres: ['<!-- bench:postgres:begin -->', '<!-- bench:postgres:end -->'],
};

/** Returns facts about this machine that readers need to judge its figures, one per line. */
export function describeMachine(): string[] {
  const [cpu] = cpus();
  const gibibytes = Math.round(totalmem() / 2 ** 30);
  const load = loadavg()[0] ?? 0;
  return [
    `${cpu?.model ?? 'unknown processor'}, ${availableParallelism()} cores, ${gibibytes} GiB`,
    `${process.platform} ${release()}, Node ${process.versions.node}`,
    `load average before the run: ${load.toFixed(1)}`,
  ];
}

/** Writes the reports between the marks of docs/performance.md. Throws if the page has no marks. */
export function savePage(machine: readonly string[], { rounds, seconds, store }: Flags, reports: readonly Report[]): void {
  const text = readFileSync(page, 'utf8');
  const [beginMark, endMark] = marksOf[store];
  const begin = text.indexOf(beginMark);
  const end = text.indexOf(endMark);
  if (begin < 0 || end < begin) throw new Error(`cannot save the table: ${page} has no ${beginMark} and ${endMark}`);
  const date = new Date().toISOString().slice(0, 10);
  const place = store === 'postgres' ? '--store postgres ' : '';
  const command = `npm run bench -- ${place}--rounds ${rounds} --seconds ${seconds} --save`;
  const head = `\`${command}\`, ${date}: ${machine.join('; ')}.`;
  const tables = [head, ...reports.map(markdownReport)].join('\n\n');
  writeFileSync(page, `${text.slice(0, begin + beginMark.length)}\n\n${tables}\n\n${text.slice(end)}`);
}
