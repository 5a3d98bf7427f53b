import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type OpenApi, openApiDocument } from './openapi.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const document = openApiDocument({ baseUrl: 'https://state.example.org' });

describe('the linters', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'holdfast-openapi-'));
  });
  afterAll(() => rm(folder, { recursive: true }));

  async function lint(content: OpenApi): Promise<{ errors: number; warnings: number; rules: string[] }> {
    const file = await written(content);
    const command = join(root, 'node_modules/@redocly/cli/bin/cli.js');
    const options = {
      cwd: root,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
    };
    const { stdout } = await promisify(execFile)(process.execPath, [command, 'lint', '--format=json', file], options).catch(
      (error: { stdout: string }) => error,
    );
    const { totals, problems } = JSON.parse(stdout) as {
      totals: { errors: number; warnings: number };
      problems: { ruleId: string }[];
    };
    return { errors: totals.errors, warnings: totals.warnings, rules: [...new Set(problems.map(({ ruleId }) => ruleId))] };
  }

  async function written(content: OpenApi): Promise<string> {
    const file = join(folder, `${randomUUID()}.json`);
    await writeFile(file, JSON.stringify(content));
    return file;
  }

  /** Returns the names of the Spectral rules that each description breaks, of every severity. */
  async function lintWithSpectral(...contents: OpenApi[]): Promise<string[][]> {
    const command = join(root, 'node_modules/@stoplight/spectral-cli/dist/index.js');
    const files = await Promise.all(contents.map(written));
    const args = ['lint', '-F', 'hint', '-f', 'json', '-r', join(root, 'spectral.yaml'), '--quiet', ...files];
    const { stdout } = await promisify(execFile)(process.execPath, [command, ...args]).catch(
      (error: { stdout: string }) => error,
    );
    const findings = JSON.parse(stdout) as { code: string; source: string }[];
    return files.map((file) => findings.filter(({ source }) => source === file).map(({ code }) => code));
  }

  test('find no fault in the description', async () => {
    expect(await lint(document)).toEqual({ errors: 0, warnings: 0, rules: [] });
  });

  test('of Spectral find no fault either, and report an operation without success', async () => {
    const [found, foundInBroken] = await lintWithSpectral(document, withoutSuccess());
    expect(found).toEqual([]);
    expect(foundInBroken).toContain('operation-success-response');
  });

  /** The description with three deliberate faults. */
  function withoutSuccess(): OpenApi {
    const broken = structuredClone(document) as unknown as Record<string, never> & OpenApi;
    const { paths, components } = broken as unknown as {
      paths: Record<string, { get: { responses: Record<string, unknown> } }>;
      components: { responses: Record<string, unknown> };
    };
    const liveness = paths['/healthz']?.get;
    if (liveness === undefined) throw new Error('the description has no /healthz');
    delete liveness.responses['200'];
    liveness.responses['431'] = { description: 'x', headers: {} };
    components.responses.spare = { description: 'x' };
    return broken;
  }

  test('report an operation without success, an unused component and a response without API-Version', async () => {
    const { rules } = await lint(withoutSuccess());
    expect(rules.toSorted()).toEqual(['no-unused-components', 'response-contains-header', 'rule/operation-has-success']);
  });
});
