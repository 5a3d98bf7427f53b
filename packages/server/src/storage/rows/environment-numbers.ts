/** Environments, as both engines store them. */
import type { Environment } from '@holdfast/contract';

/** Environments as stored by both engines. The numbers are part of every database and never change. */
export const environmentNumbers = { development: 0, staging: 1, production: 2 } as const;

export const environmentNames = ['development', 'staging', 'production'] as const satisfies readonly Environment[];

export type EnvironmentNumber = (typeof environmentNumbers)[keyof typeof environmentNumbers];
