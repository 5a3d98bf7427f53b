import { spawnSync } from 'node:child_process';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, delimiter, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createCommandSandbox, sourceCommand } from './command.fixture.ts';

/** A Node on this machine that is too old for the service, such as the one that came with npm. */
const olderNode = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'node'))
  .find((node) => {
    const major = Number.parseInt(spawnSync(node, ['-p', 'process.versions.node'], { encoding: 'utf8' }).stdout ?? '', 10);
    return major >= 20 && major < 26;
  });

describe.runIf(olderNode)('the command under an older Node', () => {
  it.each([
    [['--version'], 0],
    [['account', 'show', 'acc_none'], 1],
    [['nonsense'], 2],
  ])('%j passes on the status of the pinned runtime: %d', async (args, code) => {
    const place = await createCommandSandbox(olderNode, sourceCommand);
    expect((await place.run(args)).code).toBe(code);
    await place.remove();
  });

  it.each(['SIGTERM', 'SIGINT'] as const)('serves and passes on %s', async (signal) => {
    const place = await createCommandSandbox(olderNode, sourceCommand);
    const server = await place.serve();
    expect(await server.stop(signal)).toMatchObject({ code: 0, stderr: '' });
    await expect(fetch(`http://127.0.0.1:${place.environment.SVC_PORT}/healthz`)).rejects.toThrow();
    await place.remove();
  });

  it('gives instructions if no runtime is installed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'holdfast-'));
    cpSync(dirname(sourceCommand), folder, { recursive: true });
    const { status, stderr } = spawnSync(olderNode ?? '', [join(folder, basename(sourceCommand))], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([1, expect.stringMatching(/needs Node 26 or newer[^\n]*\n[^\n]*`npm start`/)]);
    rmSync(folder, { recursive: true });
  });
});
