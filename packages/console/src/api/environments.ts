/** The three environments of a project, and the one that was looked at last in this tab. */
import { type Environment, environments } from '@holdfast/contract';

const storageKey = 'holdfast.environment';

export const isEnvironment = (value: unknown): value is Environment => environments.some((name) => name === value);

export function lastEnvironment(): Environment {
  const stored = sessionStorage.getItem(storageKey);
  return isEnvironment(stored) ? stored : 'development';
}

export const rememberEnvironment = (env: Environment): void => sessionStorage.setItem(storageKey, env);
