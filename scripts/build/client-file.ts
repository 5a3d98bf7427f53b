/** The client as one file for pages without a bundler, which the service serves as `/client.js`: `packages/client/bundle`, committed. */
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { clientFileHash } from '../../packages/server/src/http/routes/client-file.ts';

const root = join(import.meta.dirname, '../..');
const name = 'client.js';

/** Where the file is committed. */
export const clientFile = join(root, 'packages/client/bundle', name);

/** The entry points in it: what browsers import, and `createServer` for game servers. */
const source = `export * from '@holdfast/client';\nexport { createServer } from '@holdfast/client/server';\n`;

/** The licence of the one dependency requires this. */
const notice = '/*! @holdfast/client, Apache-2.0. Contains eventsource-parser, MIT, (c) Espen Hovlandsdal */\n';

/** Returns the client as one minified ES module. */
export async function bundleClient(): Promise<string> {
  const input = 'virtual:client.js';
  const bundle = await rolldown({
    input,
    cwd: root,
    platform: 'browser',
    transform: { target: 'es2022' },
    plugins: [
      {
        name: 'client-file',
        resolveId: (id) => (id === input ? join(root, 'packages/client/src/file.virtual.js') : null),
        load: (id) => (id.endsWith('file.virtual.js') ? source : null),
      },
    ],
  });
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false });
  await bundle.close();
  const [{ code }, ...others] = output;
  if (others.length > 0) throw new Error('the client is more than one file');
  return `${notice}${code}`;
}

/** A section of the client's reference: the name that never changes its content, and its `integrity`. @see https://www.w3.org/TR/sri-2/ */
export function clientFileSection(text: string): string {
  const path = `client.${clientFileHash(text)}.js`;
  const integrity = `sha384-${createHash('sha384').update(text).digest('base64')}`;
  const map = { imports: { '@holdfast/client': `https://holdfast.example/${path}` } };
  const whole = { ...map, integrity: { [`https://holdfast.example/${path}`]: integrity } };
  return `## /client.js

The service has \`@holdfast/client\` as one file for pages without a bundler, with \`createServer\` of \`@holdfast/client/server\`, at
\`/client.js\`. That changes with the service; \`/${path}\` is only this version, and is cached for ever. A page
that checks it, in browsers that know \`integrity\` in import maps:

\`\`\`html
<script type="importmap">
${JSON.stringify(whole, null, 2)}
</script>
<script type="module">
  import { createClient } from '@holdfast/client';
</script>
\`\`\``;
}
