/** `holdfast players …` as a tree of commands. */

import type { Command } from 'commander';
import type { ImportOptions } from '../players/players.ts';
import { command, forOperator } from './command.ts';

/** Adds the commands about players. */
export function addPlayers(players: Command): void {
  command(players, 'import', 'import player saves from another service', [
    'holdfast players import players.ndjson --account acc_2bYkGd9MQnLVhvO0WwYx3z --project hello --check',
    'holdfast players import players.ndjson --account acc_2bYkGd9MQnLVhvO0WwYx3z --project hello',
    'holdfast players import players.ndjson --account acc_2bYkGd9MQnLVhvO0WwYx3z --project hello --replace --json',
  ])
    .argument('<file>', 'lines of JSON, each {"endUserId": …, "environment": …, "state": {…}}')
    .requiredOption('--account <id>', 'account id')
    .requiredOption('--project <slug>', 'project of the players')
    .option('--check', 'check all lines and write nothing')
    .option('--replace', 'replace saves that exist and differ; their versions stay in the history')
    .action(async (file: string, options: ImportOptions) => {
      const { importPlayersCommand } = await import('../players/players.ts');
      await importPlayersCommand(forOperator(players), file, options);
    });
}
