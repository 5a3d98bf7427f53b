/** The rows of a siege as lines of text. */
import type { Row } from './siege.ts';
import { bounds, missesGoal } from './verdict.ts';

export const tableHead = [
  `goals: others wait ${bounds.waitMilliseconds} ms for /healthz, the server grows by ${bounds.growthMebibytes} MiB, `,
  `a write of somebody else takes ${bounds.writeMilliseconds} ms; each beyond what a time without attack had;\n`,
  '"close" is beyond a goal and within what is tolerated\n',
  `${'verdict'.padEnd(7)} ${'engine'.padEnd(10)} ${'wait'.padStart(8)} ${'growth'.padStart(9)} ${'write'.padStart(8)} ${'took'.padStart(7)}  case: what was sent\n`,
].join('');

/** The lines of one row: its figures, broken promises, and the worst inputs, if any. */
export function rowLines({ name, engine, figures, faults, finding, worstInputs, seconds }: Row): string {
  const { waitMilliseconds, growthMebibytes, writeMilliseconds } = figures;
  const cells = [
    (faults.length > 0 ? 'BROKEN' : missesGoal(figures) ? 'close' : 'held').padEnd(7),
    engine.padEnd(10),
    `${waitMilliseconds} ms`.padStart(8),
    `${growthMebibytes} MiB`.padStart(9),
    `${writeMilliseconds} ms`.padStart(8),
    `${seconds.toFixed(1)} s`.padStart(7),
  ];
  const { sent, note } = finding;
  const lines = [
    `${cells.join(' ')}  ${name}: ${sent}${note === undefined ? '' : ` (${note})`}`,
    ...faults.map((fault) => `        ${fault}`),
    ...worstInputs.map(({ name: input, milliseconds }) => `        ${`${milliseconds} ms`.padStart(8)} during ${input}`),
  ];
  return `${lines.join('\n')}\n`;
}
