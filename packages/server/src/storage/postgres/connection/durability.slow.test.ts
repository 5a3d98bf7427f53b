import postgres from 'postgres';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type PostgresCluster, startPostgres } from '../fixtures/cluster.fixture.ts';
import { openPostgresStore } from '../store.ts';

let cluster: PostgresCluster;

beforeAll(async () => {
  cluster = await startPostgres();
});
afterAll(() => cluster.dispose());

async function administer(statement: string): Promise<void> {
  const sql = postgres(cluster.url(), { max: 1 });
  await sql.unsafe(statement);
  await sql.end();
}

test.each([
  ['fsync', 'a crash of its machine could lose writes'],
  ['full_page_writes', 'a crash of its machine could damage the database'],
  ['synchronous_commit', 'a crash could lose writes that were answered'],
])('a server with %s = off is refused, and accepted once it is on again', async (setting, reason) => {
  const url = await cluster.createDatabase();
  for (const value of ['off', 'on']) {
    await administer(`ALTER SYSTEM SET ${setting} = ${value}`);
    await cluster.stop();
    await cluster.start();
    const opening = openPostgresStore({ url });
    if (value === 'on') await (await opening).close();
    else await expect(opening).rejects.toThrow(`${setting} is off, so ${reason}`);
  }
});

test('synchronous_commit = off for the user or the database alone is refused too', async () => {
  const url = await cluster.createDatabase('lax');
  await administer('ALTER DATABASE lax SET synchronous_commit = off');
  await expect(openPostgresStore({ url })).rejects.toThrow('synchronous_commit is off');
});

test('a database with an encoding other than UTF-8 is refused', async () => {
  await administer("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'");
  await expect(openPostgresStore({ url: cluster.url('latin') })).rejects.toThrow("create it with ENCODING 'UTF8'");
});

test('a read-only database is refused', async () => {
  const url = await cluster.createDatabase('reading');
  await administer('ALTER DATABASE reading SET default_transaction_read_only = on');
  await expect(openPostgresStore({ url })).rejects.toThrow('the server takes no writes');
});

test('a wrong password, a missing database and a missing server are reported, without the password', async () => {
  const wrong = cluster.url().replace(/:[^:@]+@/, ':s3cretguess@');
  const fault = await openPostgresStore({ url: wrong }).catch((error: Error) => error);
  expect(String(fault)).toContain('password authentication failed');
  expect(String(fault)).not.toContain('s3cretguess');
  await expect(openPostgresStore({ url: cluster.url('nowhere') })).rejects.toThrow('database "nowhere" does not exist');
  await expect(openPostgresStore({ url: 'postgres://a:b@127.0.0.1:1/x' })).rejects.toThrow('ECONNREFUSED');
});

test('the writable server is found among several, whatever their order', async () => {
  const url = new URL(await cluster.createDatabase());
  const dead = ['127.0.0.1:1', 'nowhere.invalid:5432'];
  for (const hosts of [
    [...dead, url.host],
    [url.host, ...dead],
    [dead[0], url.host, dead[1]],
  ]) {
    const store = await openPostgresStore({ url: url.href.replace(url.host, hosts.join(',')) });
    expect(await store.isEmpty()).toBe(true);
    await store.close();
  }
});
