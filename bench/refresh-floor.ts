/**
 * The least that a refresh takes, by one thread for some seconds: one ES256 signature over the claims of an access token, and
 * one small write that is synced. Prints how often that was done.
 */
import { closeSync, fdatasyncSync, openSync, rmSync, writeSync } from 'node:fs';
import { generateKeyPair, SignJWT } from 'jose';

const [seconds, path] = [Number(process.argv[2]), process.argv[3] as string];
const { privateKey } = await generateKeyPair('ES256');
const file = openSync(path, 'w');
const record = 'x'.repeat(300); // about what a refresh changes

async function refresh(): Promise<void> {
  await new SignJWT({ svc_role: 'developer', svc_account_id: 'acc_bench', client_id: 'svc-developer' })
    .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid: 'x'.repeat(43) })
    .setIssuer('http://127.0.0.1:8787')
    .setAudience('http://127.0.0.1:8787')
    .setSubject('bench')
    .setIssuedAt()
    .setJti('x'.repeat(36))
    .setExpirationTime('15m')
    .sign(privateKey);
  writeSync(file, record);
  fdatasyncSync(file);
}

for (let i = 0; i < 200; i++) await refresh();
const cpu = process.cpuUsage();
const begun = performance.now();
let requests = 0;
for (; performance.now() - begun < seconds * 1000; requests++) await refresh();
const microseconds = Math.round((performance.now() - begun) * 1000);
const { user, system } = process.cpuUsage(cpu);
closeSync(file);
rmSync(path);
console.log(JSON.stringify({ requests, microseconds, cpuSeconds: (user + system) / 1e6 }));
