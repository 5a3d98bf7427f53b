/**
 * Compiles the programs of docs/client-comparison.md with the clients of the other services: `node scripts/clients/check-comparison.ts`.
 * Installs the clients in a separate folder, without their scripts. Nothing is run, since those services are not available here.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../../tooling/programs.ts';
import { withFolder } from '../../tooling/workspace.ts';
import { installIn } from '../build/client-trial.ts';

const root = join(import.meta.dirname, '../..');
const page = readFileSync(join(root, 'docs/client-comparison.md'), 'utf8');
/** The versions that the page names. */
const clients = [...page.matchAll(/`((?:@\w+\/)?[\w-]+)` (\d+\.\d+\.\d+)/g)].map(
  ([, name, version]) => `${name}@${version}`,
);
/** The programs of the other services, each in a separate file. */
const programs = [...page.matchAll(/^## (\w+)\n\n```js\n(.*?)^```/gms)];

/** Undeclared names used by the programs. */
const declared = `
declare function configure(state: any): void;
declare function show(state: any): void;
interface Object { readonly gold?: number }
declare const firebaseConfig: any, defaults: any, systemUserId: string, configId: string;
`;
const compilerOptions = {
  target: 'es2022',
  lib: ['es2022', 'dom'],
  module: 'esnext',
  moduleResolution: 'bundler',
  allowJs: true,
  checkJs: true,
  noEmit: true,
  skipLibCheck: true,
  strict: false,
  types: [],
};

await withFolder('comparison', (folder) => {
  const at = join(folder, 'app');
  installIn(at, ...clients);
  writeFileSync(join(at, 'declared.d.ts'), declared);
  writeFileSync(join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.js', '*.d.ts'] }));
  for (const [, name, program] of programs) writeFileSync(join(at, `${name}.js`), `${program}\nexport {};\n`);
  run(join(root, 'node_modules/.bin/tsc'), ['-p', '.'], at);
  console.log(`${programs.map(([, name]) => name).join(', ')} compile against ${clients.join(', ')}`);
});
