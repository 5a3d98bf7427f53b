/** Environments, as both engines store them. */
import type { Environment } from '@holdfast/contract';
import { columnFault, type Row } from './columns.ts';

/** Environments as stored by both engines. The numbers are part of every database and never change. */
export const environmentNumbers = { development: 0, staging: 1, production: 2 } as const;

export const environmentNames = ['development', 'staging', 'production'] as const satisfies readonly Environment[];

export type EnvironmentNumber = (typeof environmentNumbers)[keyof typeof environmentNumbers];

/** Returns the environment whose number is in a row. */
export function environmentAt(row: Row): Environment {
  const name = environmentNames.find((candidate) => environmentNumbers[candidate] === row.environment);
  if (name === undefined) throw columnFault('environment', 'the number of an environment', row.environment);
  return name;
}
