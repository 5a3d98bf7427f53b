/** `holdfast config`: the effective settings. */
import { type Config, describeConfig, type Environment } from '../config/config.ts';
import { printJson, printTable } from './print.ts';

/** Prints each setting with its value and source. */
export function configCommand(config: Config, environment: Environment, options: { json?: true }): void {
  const rows = describeConfig(config, environment);
  if (options.json) printJson(rows);
  else printTable(rows.map(({ name, value, source }) => [name, value ?? '(unset)', source]));
}
