/**
 * PUT and PATCH of projects with a webhook, compared with those without. The receiver holds each request for so long that the sender itself
 * does next to nothing: what is left is what a write pays.
 *
 *     node bench/scripts/webhooks.ts [--store postgres] [--rounds 8] [--seconds 1]
 */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { closeRunDatabases } from '../../tooling/database.ts';
import { cleanUpAtExit } from '../../tooling/workspace.ts';
import { compare } from '../compare.ts';
import { readFlags } from '../flags.ts';
import { printReport } from '../report.ts';
import { withProcesses } from '../server-process.ts';
import { connections, pairColumns, pairRow, type Side, startSide } from '../suites/against.ts';

/** Less than a try may take. */
const holdMilliseconds = 14_000;
const loads = ['PUT of 2 KB', 'PATCH of one member'] as const;

const flags = readFlags(process.argv.slice(2));
cleanUpAtExit();
const receiver = createServer((request, response) => {
  request.resume();
  setTimeout(() => response.writeHead(204).end(), holdMilliseconds);
}).listen(0, '127.0.0.1');
await once(receiver, 'listening');
const webhookUrl = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`;
const rows: string[][] = [];
await withProcesses(async () => {
  const sides = { with: await startSide(flags.store, flags, { webhookUrl }), without: await startSide(flags.store, flags) };
  for (const name of loads) {
    const of = (side: Side) => (seconds: number) => side.measure(name, seconds);
    const measured = await compare({ with: of(sides.with), without: of(sides.without) }, flags);
    rows.push(pairRow(name, measured.with, measured.without));
  }
}).finally(closeRunDatabases);
const notes = [
  `${connections} connections, ${flags.rounds} × ${flags.seconds} s each, in turn. "There" is without webhooks.`,
];
const title = `${flags.store === 'postgres' ? 'PostgreSQL' : 'The embedded store'}: with a webhook against without`;
console.log(printReport({ title, columns: pairColumns, rows, notes, measurements: {} }));
process.exit();
