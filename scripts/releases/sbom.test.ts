import { expect, it } from 'vitest';
import { steady } from './sbom.ts';

const made = (serialNumber: string, timestamp: string, components = ['pino']) =>
  steady({ bomFormat: 'CycloneDX', serialNumber, metadata: { timestamp, tools: ['npm'] }, components }, 1_795_571_705);

it('the list of parts is the same for the same parts, whenever it is made', () => {
  const first = made('urn:uuid:1', '2026-01-01T00:00:00.000Z');
  expect(made('urn:uuid:2', '2027-01-01T00:00:00.000Z')).toEqual(first);
  expect(first.metadata).toEqual({ timestamp: '2026-11-25T00:55:05.000Z', tools: ['npm'] });
  expect(first.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
  expect(made('urn:uuid:1', '', ['pino', 'jose']).serialNumber).not.toBe(first.serialNumber);
});
