/**
 * Compares the migrations of both engines with those that have landed. Databases were made with these, and remember the SHA-256 of
 * each: a program whose text differs opens none of them. Then looks for steps that would make others wait.
 */
import { createHash } from 'node:crypto';
import type { Migration } from '../../packages/server/src/storage/cold/schema.ts';
import { migrations as postgres } from '../../packages/server/src/storage/postgres/schema/migrations.ts';
import { migrations as sqlite } from '../../packages/server/src/storage/sqlite/schema/migrations.ts';

const engines = { sqlite, postgres };
export type Engine = keyof typeof engines;

/** The SHA-256 of every migration. Lines are added, and never changed. */
const landed: Readonly<Record<Engine, Readonly<Record<number, string>>>> = {
  sqlite: {
    1: '39ac1eb105065e74352ce866232e049b33c2700a8d096ddb031ade95a1626bce',
    2: '7e984b9be65d796ec5fde4013f309e53dc758fcb9e0822ea32a0b7fedf9acf78',
    3: '0394f19d98026513b6341a2ba1a483276f7ee8c5f3f6a23f95b795d38622b9cb',
    4: '652b918a6050251f93d63e6de12ac144ed4f6c1a6e890984ffeb3d1879387f83',
    8: '7cb8d01b5845a33ed9125f8d2804c1961fc1a43a308ea83c6e733c3e3bbfa54b',
    5: 'b7f5de9e456f1bcff053fb6367308010c717a4f582cf1862f297439c3fe9d830',
    7: '05ecaff942f5411ba31f512a6f4a647068eb3a8c3a2b8cd13ed85d55d8bf39e8',
    6: '91215f9e9b87247680a0624983cab7da4de25dfa026bece8542cff20b1058598',
    9: 'a1ac88f0568c631a41f648c3605d4f63c80aa37d054ba2f62663c2d364fc3257',
    10: '56f461f441f5b96f754702780b817917c17a31c396c97d6e162e8afacfeab7d2',
    11: 'b6702143104f3cd96fcc6c331dab506e5f3fb205a5bed696a052956b343974f9',
    12: 'ce17db05526488fbff1d21bb5d519f01bf35f3fddc8acfe92820e5b30fd7b918',
    13: '453237ecbc72f669467b40f92215efdcf76ab1199c868d3593a719850957dd2e',
    14: '8d56be8dc5346cd3cb066d1ba000e8f6886032f85f74cc733efd8a201e40dc3b',
    15: '82ffcdbe8f2ffea32d3e44d072f5ff9e6a03bbb80d814bcb984c352c4d54c497',
  },
  postgres: {
    1: '4f7554c51a808e123408bb1de4aa6b7d24022893c2aedaf9266eba7b6d5fbef0',
    2: 'f9fa55aaa99f0c3b574b8adb3d7d2b9b96484fa1c197cb670ac9296bb2c5a36b',
    3: '518ff991736cdb6258dbc59664d81e2fc0fa1da9ad62a3aadb1b8f5fc9302699',
    4: '3e33bd7f563bc2265c811871a4b23349fb761617d28ae30d20867e98f3f99c34',
    8: 'bed3da87a95b8cdd89404db37281c9600fb571929623020c04bc50626e3e4eb5',
    5: '347ef6960e55623a85431ba78cec6f8e324971fc61eca4381a4671ae42042956',
    7: 'c2da76b37e517b7b6cb10ce04dc2d0bcb599cdf6e19e536c91c010188350cb82',
    6: '21a691574af90c368202fdc9c3b4e924fe067793bb9052254e3124076b3344ad',
    9: '0a5be29e2239637e07835e26d8351f0bc062a9d7fb06ee8d8057b8d5cee42036',
    10: 'f95e043b72056cb44e8404b0734c54def75fc71c65c7fa7c47c71c75c93ef82a',
    11: '8d6dd84c7eb088900ade8e8e251da4463b283ff1e9bee7cd3e67e09b2d26f971',
    12: '7db6a84dde2637b72d85433a9226057962e0b84ccbae29a9818068a1314e4e33',
    13: '5476d661efdb771ac37bebe320c635a7e0b3fd6241f08a181dc5ec78c61b6fe6',
    14: '6be58ae2169faa10f23e34612516fcd04e83801609091e8957f7a4e5c86b59f1',
    15: '787a3fc835e50f11a013306ef4690c0c58928c605f8b62952db0cdf023f56b5a',
  },
};

/** Returns what is wrong with the migrations of an engine, a line for each. */
export function findChanged(engine: Engine, migrations: readonly Migration[] = engines[engine]): string[] {
  const pins = landed[engine];
  const found = migrations.flatMap(({ number, sql }) => {
    const sha256 = createHash('sha256').update(sql).digest('hex');
    if (sha256 === pins[number]) return [];
    const told =
      pins[number] === undefined
        ? `is new. Once its text is final, add "${number}: '${sha256}'" to scripts/checks/landed-migrations.ts`
        : 'has changed, and databases were made with it: take the change back. What is new in a table says with which migration it comes ("since")';
    return [`migration ${number} of ${engine} ${told}`];
  });
  const missing = Object.keys(pins).filter(
    (number) => !migrations.some((migration) => migration.number === Number(number)),
  );
  return [...found, ...missing.map((number) => `migration ${number} of ${engine} is gone`)];
}

/** Tables that have few rows, whatever is stored: nobody notices how long a statement takes there. */
const small = new Set(
  'accounts api_keys developers end_user_auth identity_providers invitations projects signing_keys version_floors'.split(
    ' ',
  ),
);

/** What takes no time, whatever the size of the table. */
const instant =
  /^ALTER TABLE \w+ (?:ADD COLUMN \w+ \w+(?: NOT NULL)?(?: DEFAULT (?:'[^']*'|-?\d+))?|ALTER COLUMN \w+ DROP NOT NULL)$/;

/**
 * Returns the statements that take longer the more rows a table has, a line for each. Over PostgreSQL, nodes of the release before work
 * beside a migration, and their writes would wait for it.
 */
export function findLong(migrations: readonly Migration[] = postgres): string[] {
  return migrations.flatMap(({ number, sql }) => {
    const statements = sql
      .replaceAll(/--.*$/gm, '')
      .split(';')
      .map((statement) => statement.replaceAll(/\s+/g, ' ').trim());
    const made = new Set(statements.map((statement) => /^CREATE (?:UNLOGGED )?TABLE (\w+) \(/.exec(statement)?.[1]));
    const tableOf = (statement: string) => /(?:TABLE|ON|UPDATE|INTO|FROM) (\w+)/.exec(statement)?.[1] ?? '';
    return statements
      .filter((statement) => statement !== '' && !instant.test(statement))
      .filter((statement) => !made.has(tableOf(statement)) && !small.has(tableOf(statement)))
      .map(
        (statement) =>
          `migration ${number} takes longer the more rows a table has, while nodes of the release before wait: "${statement}". CONTRIBUTING.md says what to do ("Adding a field to a record")`,
      );
  });
}

if (import.meta.main) {
  const found = [...(Object.keys(engines) as Engine[]).flatMap((engine) => findChanged(engine)), ...findLong()];
  process.stdout.write(found.map((line) => `${line}\n`).join(''));
  if (found.length > 0) process.exitCode = 1;
}
