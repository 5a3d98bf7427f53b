/**
 * `node scripts/clients/check-clients.ts [generator …]`: generates clients in other languages from the served OpenAPI description, compiles
 * them, and lets each call a running service. Needs Python, Go, Java and Maven, and their registries; a generator without its tools is
 * skipped with a message. Exits with 0 if every client tried works, otherwise 1.
 */

import { isDeepStrictEqual } from 'node:util';
import { check, expectedFindings, type Generator, npmGenerators, type Target } from '../../test/clients/generators.ts';
import { withServer } from '../../tooling/credentials.ts';
import { isInstalled } from '../../tooling/programs.ts';
import { foreignGenerators } from './foreign-generators.ts';

const all = [...npmGenerators, ...foreignGenerators];
const names = process.argv.slice(2);
const unknown = names.filter((name) => !all.some((one) => one.name === name));
if (unknown.length > 0) throw new Error(`${unknown.join(', ')}: there are ${all.map(({ name }) => name).join(', ')}`);

await withServer({}, async (_server, { baseUrl: url, accountId, developerToken, slug }) => {
  const openApi = await (await fetch(`${url}/openapi.json`)).text();
  for (const generator of names.length === 0 ? all : all.filter(({ name }) => names.includes(name))) {
    await report(generator, openApi, { url, accountId, developerToken, slug });
  }
});

async function report(generator: Generator, openApi: string, target: Target): Promise<void> {
  const missing = (generator.needs ?? []).filter((command) => !isInstalled(command));
  if (missing.length > 0) {
    console.log(`– ${generator.name}: this machine has no ${missing.join(' and no ')}`);
    return;
  }
  const begunAt = performance.now();
  const fault = await faultOf(generator, openApi, target);
  const seconds = ((performance.now() - begunAt) / 1000).toFixed(1);
  console.log(`${fault === undefined ? '✓' : '✗'} ${generator.name} (${seconds} s)`);
  if (fault === undefined) return;
  console.error(`\n${fault}\n`);
  process.exitCode = 1;
}

/** Returns the fault of a client; undefined if it works. */
async function faultOf(generator: Generator, openApi: string, target: Target): Promise<string | undefined> {
  try {
    const findings = await check(generator, openApi, target);
    return isDeepStrictEqual(findings, expectedFindings) ? undefined : JSON.stringify(findings);
  } catch (error) {
    return (error as Error).message;
  }
}
