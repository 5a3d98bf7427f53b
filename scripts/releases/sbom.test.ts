import { expect, it } from 'vitest';
import { steady } from './sbom.ts';

function made(serialNumber: string, timestamp: string, folder: string, components = ['pino']) {
  const metadata = { timestamp, tools: ['npm'], component: { name: folder, version: '0.2.0' } };
  return steady({ bomFormat: 'CycloneDX', serialNumber, metadata, components }, 1_795_571_705);
}

it('the list of parts is the same for the same parts, whenever and wherever it is made', () => {
  const first = made('urn:uuid:1', '2026-01-01T00:00:00.000Z', 'one');
  expect(made('urn:uuid:2', '2027-01-01T00:00:00.000Z', 'another')).toEqual(first);
  expect(first.metadata).toEqual({
    timestamp: '2026-11-25T01:55:05.000Z',
    tools: ['npm'],
    component: { name: 'holdfast', version: '0.2.0' },
  });
  expect(first.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(made('urn:uuid:1', '', 'one', ['pino', 'jose']).serialNumber).not.toBe(first.serialNumber);
});
