/**
 * The minimum cost of a refresh, measured with one thread for some seconds: an ES256 signature over the claims of an access token, and a
 * small synced write. Sends its results to the process that has started it.
 */

import { generateKeyPairSync, randomUUID, sign } from 'node:crypto';
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { jwtSigner } from '../../packages/server/src/common/secrets/jwt.ts';

export interface RefreshFloor {
  readonly requests: number;
  readonly microseconds: number;
  readonly cpuSeconds: number;
}

const { seconds, path } = JSON.parse(process.argv[2] as string) as { readonly seconds: number; readonly path: string };
const key = { key: generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey, dsaEncoding: 'ieee-p1363' } as const;
const signClaims = jwtSigner(
  { keyId: 'x'.repeat(43), sign: (text) => sign('sha256', Buffer.from(text), key).toString('base64url') },
  'at+jwt',
);
const origin = 'http://127.0.0.1:8787';
const file = openSync(path, 'w');
const record = 'x'.repeat(300); // about the size of a refresh's changes

function refresh(): void {
  const iat = Math.floor(Date.now() / 1000);
  const claims = { svc_role: 'developer', svc_account_id: 'acc_bench', client_id: 'svc-developer' };
  signClaims({ ...claims, iss: origin, aud: origin, sub: 'bench', iat, exp: iat + 900, jti: randomUUID() });
  writeSync(file, record);
  fdatasyncSync(file);
}

for (let i = 0; i < 200; i++) refresh();
const cpu = process.cpuUsage();
const begun = performance.now();
let requests = 0;
for (; performance.now() - begun < seconds * 1000; requests++) refresh();
const microseconds = Math.round((performance.now() - begun) * 1000);
const { user, system } = process.cpuUsage(cpu);
closeSync(file);
rmSync(path);
const floor: RefreshFloor = { requests, microseconds, cpuSeconds: (user + system) / 1e6 };
process.send?.(floor);
