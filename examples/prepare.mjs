/**
 * Prepares a project for the examples: switches sign-in on with the addresses of these apps, makes a publishable key and writes a
 * configuration. Run it after `. data/dev.env`. The settings of the apps go to their `.env.local`.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createClient } from '@holdfast/client';

const { HOLDFAST_URL, HOLDFAST_ACCOUNT_ID, HOLDFAST_PROJECT, HOLDFAST_DEVELOPER_TOKEN, HOLDFAST_ENVIRONMENT } = process.env;
if (!HOLDFAST_DEVELOPER_TOKEN) {
  console.error(
    'HOLDFAST_DEVELOPER_TOKEN is missing: run `. data/dev.env` in the root of the repository first, in this terminal.',
  );
  process.exit(1);
}
const origins = (process.env.ORIGINS ?? 'http://localhost:5173,http://localhost:5174').split(',');
const project = `/v1/${HOLDFAST_ACCOUNT_ID}/projects/${HOLDFAST_PROJECT}`;

async function call(method, path, body) {
  const headers = { Authorization: `Bearer ${HOLDFAST_DEVELOPER_TOKEN}`, 'Content-Type': 'application/json' };
  const response = await fetch(HOLDFAST_URL + project + path, { method, headers, body: body && JSON.stringify(body) });
  if (!response.ok) throw new Error(`${method} ${path} answered ${response.status}: ${await response.text()}`);
  return response.json();
}

const { redirectUris, allowedIdps } = await call('GET', '/auth/end-user/config');
await call('PATCH', '/auth/end-user/config', {
  enabled: true,
  redirectUris: [...new Set([...redirectUris, ...origins.map((origin) => `${origin}/`)])],
  allowedIdps: [...new Set([...allowedIdps, 'password'])],
});
const key = { name: 'examples', kind: 'publishable', environments: [HOLDFAST_ENVIRONMENT] };
const { apiKey } = await call('POST', '/api-keys', key);

const { publicState } = createClient({
  baseUrl: HOLDFAST_URL,
  accountId: HOLDFAST_ACCOUNT_ID,
  project: HOLDFAST_PROJECT,
  environment: HOLDFAST_ENVIRONMENT,
  auth: { accessToken: HOLDFAST_DEVELOPER_TOKEN },
});
await publicState.update((draft) => {
  draft.title ??= 'Gold Creek';
  draft.goldPerDig ??= 5;
  draft.color ??= '#e8a317';
});

const settings = { HOLDFAST_URL, HOLDFAST_ACCOUNT_ID, HOLDFAST_PROJECT, HOLDFAST_ENVIRONMENT, HOLDFAST_KEY: apiKey };
const lines = Object.entries(settings).map(([name, value]) => `VITE_${name}=${value}\n`);
for (const app of ['web-game', 'react']) writeFileSync(join(import.meta.dirname, app, '.env.local'), lines.join(''));
console.log('The examples are ready.');
