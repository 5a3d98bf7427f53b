import { expect, test } from 'vitest';
import { createLog } from './log.ts';

test('an error is logged with its message, stack and cause', () => {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => lines.push(line) });
  log.error({ error: new Error('cannot write', { cause: new Error('disk full') }) }, 'a request failed');
  log.debug('dropped');
  expect(lines).toHaveLength(1);
  const line = JSON.parse(lines[0] as string) as { level: number; error: Record<string, unknown> };
  expect(line.error).toMatchObject({ message: 'cannot write', cause: { message: 'disk full' } });
  expect(line.error.stack).toContain('log.test.ts');
});
