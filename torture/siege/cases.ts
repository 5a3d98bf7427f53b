/** All cases of the siege, in running order. */
import { accountCases } from './accounts.ts';
import { bodyCases } from './bodies.ts';
import type { SiegeCase } from './case.ts';
import { connectionCases } from './connections.ts';
import { documentCases } from './documents.ts';
import { flagCases } from './flags.ts';
import { legitimateCases } from './legitimate.ts';
import { readerCases } from './readers.ts';
import { readCases } from './reads.ts';
import { schemaCases } from './schemas.ts';
import { signInCases } from './sign-in.ts';
import { strangerCases } from './strangers.ts';
import { streamCases } from './streams.ts';
import { textCases } from './text.ts';
import { webhookCases } from './webhooks.ts';

export const siegeCases: readonly SiegeCase[] = [
  ...accountCases,
  ...strangerCases,
  ...flagCases,
  ...legitimateCases,
  ...signInCases,
  ...textCases,
  ...documentCases,
  ...schemaCases,
  ...readerCases,
  ...readCases,
  ...streamCases,
  ...webhookCases,
  ...bodyCases,
  ...connectionCases,
];
