/**
 * `node scripts/deploy/check-deploy.ts [--only PARTS] [--pictures FOLDER]`: runs what the Dockerfile, compose.yaml and `deploy/` promise,
 * as far as possible without a container registry. Needs Debian as root, its mirrors, and the registries of npm, PyPI and Go. Exits with 0
 * if every check passed, otherwise 1.
 */
import { parseArgs } from 'node:util';
import { imageVerdict } from './image.ts';
import { lint } from './linters.ts';
import { proxyVerdicts } from './proxies.ts';

const { values } = parseArgs({ options: { only: { type: 'string' }, pictures: { type: 'string' } } });

type Part = () => Promise<readonly string[]>;

/** Each prints the passed checks, and resolves with the failed ones. */
const parts: Readonly<Record<string, Part>> = {
  lint: async () => {
    const verdicts = Object.entries(await lint());
    for (const [name, wrong] of verdicts) console.log(`${wrong === undefined ? '✓' : '✗'} ${name}`);
    return verdicts.flatMap(([name, wrong]) => (wrong === undefined ? [] : [`${name}: ${wrong}`]));
  },
  proxies: async () => {
    const verdicts = await proxyVerdicts();
    for (const { proxy, passed, faults } of verdicts) {
      console.log(`${faults.length === 0 ? '✓' : '✗'} ${proxy}: ${passed} cases held, ${faults.length} did not`);
    }
    return verdicts.flatMap(({ faults }) => faults);
  },
  image: async () => {
    const { passed, faults, notes } = await imageVerdict(values.pictures);
    const mark = faults.length === 0 ? '✓' : '✗';
    console.log(`${mark} image: ${passed} checks held, ${faults.length} did not; ${notes.join(', ')}`);
    return faults.map((fault) => `image: ${fault}`);
  },
};

const chosen = values.only?.split(',') ?? Object.keys(parts);
for (const name of chosen) {
  const part = parts[name];
  if (part === undefined) throw new Error(`--only takes ${Object.keys(parts).join(', ')}; not ${name}`);
  for (const fault of await part()) {
    console.error(`\n${fault}`);
    process.exitCode = 1;
  }
}
