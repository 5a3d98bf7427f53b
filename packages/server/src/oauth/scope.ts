/** Scopes: a player is granted one environment. @see docs/contract.md §7.1 */
import { type Environment, environments } from '@holdfast/contract';

/** Returns the environment that a scope grants, or undefined unless it is exactly one of them. */
export function parseScope(scope: string | undefined): Environment | undefined {
  return environments.find((environment) => scope === `env:${environment}`);
}
