/** Schemas for large states, and slow schemas, over HTTP. @see docs/contract.md §5.6 */
import { describe, expect, test } from 'vitest';
import { at, fault, get, put, putState, server, shop, startForSchemas } from './schemas.fixture.ts';

startForSchemas();

describe.concurrent('a write of public state', () => {
  test('is validated on a thread if the document is large', async () => {
    const project = await server.newProject();
    await put(project, { mode: 'enforce', schema: shop });
    const items = Object.fromEntries(
      Array.from({ length: 5_000 }, (_, n) => [`item${n}`, { price: n + 1, note: 'a long note' }]),
    );
    expect((await putState(project, { shop: items })).status).toBe(200);
    const path = `${project.path}/public-state/production`;
    const ops = [{ op: 'replace', path: '/shop/item4999/price', value: 0 }];
    const answer = await server.call('PATCH', path, { headers: { ...project.developer.bearer, ...at(1) }, body: { ops } });
    expect(answer).toMatchObject({ status: 400, json: { violations: [{ path: '/shop/item4999/price' }] } });
  });

  test('with long names gets a short error, and a short entry in the report', async () => {
    const project = await server.newProject();
    const schema = {
      additionalProperties: { additionalProperties: { properties: { ['~'.repeat(9_000)]: { maxItems: 1 } } } },
    };
    const numbers = { additionalProperties: { additionalProperties: { additionalProperties: { type: 'number' } } } };
    const name = '/~'.repeat(7_500);
    const texts = Object.fromEntries(Array.from({ length: 22 }, (_, index) => [index, 'x']));
    await put(project, { mode: 'enforce', schema: numbers });
    const refused = await putState(project, { [name]: { [name]: texts } });
    expect(fault(refused)).toEqual([400, 'validation_error']);
    expect(refused.text.length).toBeLessThan(15_000);
    const { violations } = refused.json as { violations: { path: string }[] };
    expect(violations.map(({ path }) => path)).toEqual(
      Array.from({ length: 20 }, (_, index) => expect.stringMatching(RegExp(`^/(~[01])+…(~[01])+/${index}$`))),
    );
    await put(project, { mode: 'report', schema }, at(1));
    expect((await putState(project, { [name]: { [name]: { ['~'.repeat(9_000)]: [1, 2] } } })).status).toBe(200);
    const report = await get(project, '/report');
    expect(report.json).toMatchObject({
      items: [{ keyword: 'maxItems', path: expect.stringMatching(/^\/\*\/\*\/~0/), count: 1 }],
    });
    expect(report.text.length).toBeLessThan(1_500);
  });

  test('with slow validation is refused with the keyword "budget", while others are served', async () => {
    const project = await server.newProject();
    const $defs = Object.fromEntries(
      Array.from({ length: 40 }, (_, level) => [
        `d${level}`,
        level === 39
          ? { type: 'string' }
          : { anyOf: [{ $ref: `#/$defs/d${level + 1}` }, { $ref: `#/$defs/d${level + 1}` }] },
      ]),
    );
    expect((await put(project, { mode: 'enforce', schema: { $defs, $ref: '#/$defs/d0' } })).status).toBe(200);
    expect(await putState(project, {})).toMatchObject({
      status: 400,
      json: { violations: [{ path: '', keyword: 'budget' }] },
    });
  });
});

describe.concurrent('a project that checks its flags', () => {
  const enabled = { state: 'ENABLED', variants: { on: true, off: false }, defaultVariant: 'on' };
  const typo = { ...enabled, defaultVariant: 'onn' };

  test('checks a document of full size, and reports at most 20 faults', async () => {
    const project = await server.newProject();
    await server.call('PATCH', project.path, { headers: project.developer.bearer, body: { flagsCheck: 'enforce' } });
    const many = (flag: object) => Object.fromEntries(Array.from({ length: 1_500 }, (_, n) => [`flag-${n}`, flag]));
    expect((await putState(project, { flags: many(enabled) })).status).toBe(200);
    const answer = await putState(project, { flags: many({ ...typo, variants: { on: true, off: 'no' } }) }, at(1));
    expect((answer.json as { violations: unknown[] }).violations).toHaveLength(20);
  });
});
