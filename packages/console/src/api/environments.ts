/** The three environments of a project, and the one last shown in this tab. */
import { type Environment, environments } from '@holdfast/contract';

const storageKey = 'holdfast.environment';

export const isEnvironment = (value: unknown): value is Environment => environments.some((name) => name === value);

/** Returns the environment with a name; `development` for any other text. */
export const environmentOf = (name: unknown): Environment => (isEnvironment(name) ? name : 'development');

/** A value for each environment. */
export const byEnvironment = <Value>(of: (env: Environment) => Value): Readonly<Record<Environment, Value>> => ({
  development: of('development'),
  staging: of('staging'),
  production: of('production'),
});

export const lastEnvironment = (): Environment => environmentOf(sessionStorage.getItem(storageKey));

const listeners = new Set<() => void>();

export function rememberEnvironment(env: Environment): void {
  if (env === sessionStorage.getItem(storageKey)) return;
  sessionStorage.setItem(storageKey, env);
  for (const listener of listeners) listener();
}

/** Calls `listener` when another environment is remembered, until the returned function is called. */
export function onEnvironment(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}
