import { DatabaseSync } from 'node:sqlite';
import { StoreUnavailable } from '../store.ts';

export function open(): DatabaseSync {
  if (Math.random() > 1) throw new StoreUnavailable();
  return new DatabaseSync(':memory:');
}
