import { Registry } from 'prom-client';
import { expect, test } from 'vitest';
import { showFigures } from './figures.ts';

test('pages that are read at the same time count nothing twice', async () => {
  const registry = new Registry();
  const read = () => [[{ of: 'mails' }, 3]] as const;
  showFigures(registry, [
    { kind: 'counter', name: 'sent_total', help: 'Sent.', labels: ['of'], read },
    { kind: 'gauge', name: 'open', help: 'Open.', read: () => 2 },
  ]);
  for (const page of await Promise.all([registry.metrics(), registry.metrics()])) {
    expect(page).toContain('sent_total{of="mails"} 3\n');
    expect(page).toContain('open 2\n');
  }
});
