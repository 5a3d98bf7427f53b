import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import postgres from 'postgres';
import { afterEach, expect, test, vi } from 'vitest';
import { type PostgresCluster, startPostgres } from './cluster.fixture.ts';

let cluster: PostgresCluster | undefined;
afterEach(() => cluster?.dispose());

const isAlive = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a server keeps what it acknowledged, however it is stopped', async () => {
  cluster = await startPostgres({ settings: { work_mem: '5MB' } });
  const url = await cluster.createDatabase();
  const run = async (text: string) => {
    const sql = postgres(url, { max: 1 });
    try {
      return [...(await sql.unsafe(text))];
    } finally {
      await sql.end();
    }
  };
  expect(await run('SHOW work_mem')).toEqual([{ work_mem: '5MB' }]);
  expect(await run('SHOW fsync')).toEqual([{ fsync: 'on' }]);
  await run('CREATE TABLE written (mode text)');
  for (const mode of ['fast', 'immediate', 'kill'] as const) {
    await run(`INSERT INTO written VALUES ('${mode}')`);
    const pid = cluster.pid ?? 0;
    await cluster.stop(mode);
    expect([cluster.pid, isAlive(pid)]).toEqual([undefined, false]);
    await expect(run('SELECT')).rejects.toThrow('ECONNREFUSED');
    await cluster.start();
  }
  expect(await run('SELECT mode FROM written')).toEqual([{ mode: 'fast' }, { mode: 'immediate' }, { mode: 'kill' }]);
  await cluster.dropDatabase(url);
  await expect(run('SELECT')).rejects.toThrow('does not exist');
});

test('a server ends with the process that started it, and leaves nothing', async () => {
  const program = fileURLToPath(new URL('test-processes/start-cluster.ts', import.meta.url));
  const parent = spawn(process.execPath, [program], { stdio: ['ignore', 'pipe', 'inherit'] });
  const [line] = (await once(createInterface({ input: parent.stdout }), 'line')) as [string];
  const [pid = '', folder = ''] = line.split(' ');
  expect([isAlive(Number(pid)), existsSync(folder)]).toEqual([true, true]);
  parent.kill('SIGKILL');
  await vi.waitFor(() => expect([isAlive(Number(pid)), existsSync(folder)]).toEqual([false, false]), { timeout: 10_000 });
});

test('a server that cannot start says why', async () => {
  await expect(startPostgres({ settings: { wal_level: 'none' } })).rejects.toThrow(
    /has ended:[\s\S]*invalid value.*wal_level/,
  );
});
