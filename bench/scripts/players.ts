/**
 * Costs of players in the embedded store: a guest's rows with a user state, searching all players and the delay of other requests
 * meanwhile, and how many guests one core admits.
 *
 *     node bench/scripts/players.ts [--players 1000000] [--searches 200] [--tokens 3000] [--dir /var/tmp] [--keep]
 */

import { hash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../../packages/server/src/free-port.fixture.ts';
import { encodeText } from '../../packages/server/src/storage/rows/stored-texts.ts';
import { idKey, textKey } from '../../packages/server/src/storage/sql/players/player-keys.ts';
import { openSqliteStore } from '../../packages/server/src/storage/sqlite/store.ts';
import { createApi, expectStatus } from '../../tooling/api.ts';
import { allowSignIn, type Credentials, createAccount, projectPath, publicStatePath } from '../../tooling/credentials.ts';
import { freshNonce, guestForm, postToken } from '../../tooling/guest.ts';
import { cpuMicroseconds } from '../../tooling/readings.ts';
import { startServerProcess } from '../../tooling/server-process.ts';
import { quantile, seededRandom } from '../../tooling/statistics.ts';

const { values } = parseArgs({
  options: {
    players: { type: 'string', default: '1000000' },
    searches: { type: 'string', default: '200' },
    tokens: { type: 'string', default: '3000' },
    dir: { type: 'string', default: tmpdir() },
    /** A folder of an earlier run, to reuse its players. */
    data: { type: 'string' },
    keep: { type: 'boolean', default: false },
  },
});
const players = Number(values.players);
/** First letters of ids, addresses and names: each begins a twentieth of them. */
const letters = 'abcdefghijklmnopqrst';
const stateBytes = 200;

const dataDir = values.data ?? mkdtempSync(join(values.dir, 'holdfast-players-'));
const file = join(dataDir, 'holdfast.sqlite');

interface RunningServer {
  readonly port: number;
  readonly env: Readonly<Record<string, string>>;
}

const digest = (kind: string, index: number) => hash('sha256', `${kind} ${index}`, 'hex');
/** The id, address and name of a player begin with different letters. */
const letterOf = (kind: string, index: number) =>
  letters[Number.parseInt(digest(kind, index).slice(0, 8), 16) % letters.length] ?? 'a';
const idOf = (index: number) => `${letterOf('id', index)}${digest('id', index).slice(8, 35)}`;

const filler = 'x'.repeat(stateBytes - '{"level":1,"data":""}'.length);
const stateText = `{"level":1,"data":"${filler}"}`;

/** Players created through the store, to measure their size: the file grows by the same pages whoever writes them. */
const createdByStore = Math.min(players, 50_000);

/** Creates players in random order of their ids. */
async function createPlayers({ accountId, slug }: Credentials): Promise<void> {
  const before = statSync(file).size;
  const store = await openSqliteStore({ dataDir });
  const state = { stateText, stateBytes, writtenAt: Date.now() };
  for (let done = 0; done < createdByStore; done += 2_000) {
    const group = Array.from({ length: Math.min(2_000, createdByStore - done) }, (_, index) => idOf(done + index));
    await Promise.all(
      group.map((playerId) =>
        store.writeUserState({ accountId, slug, environment: 'production', playerId }, { kind: 'absent' }, state),
      ),
    );
  }
  await store.close();
  const each = (statSync(file).size - before) / createdByStore;
  console.log(`${createdByStore} saves of ${stateBytes} bytes: ${each.toFixed(0)} bytes each in the file`);
  addPlayers(accountId, slug);
}

/** Writes the other players directly into the file, since that would take minutes through the store. */
function addPlayers(accountId: string, slug: string): void {
  const database = new DatabaseSync(file);
  const before = statSync(file).size;
  const project = database
    .prepare('SELECT project_id FROM projects WHERE account_id = ? AND slug = ?')
    .get(accountId, slug);
  const add = database.prepare(
    `INSERT INTO user_states (project_id, environment, version, updated_at, created_at, state_bytes, end_user_id, state, history_version)
     VALUES (?1, 2, 1, ?2, ?2, ${stateBytes}, ?3, ?4, 1)`,
  );
  database.exec('BEGIN');
  for (let index = createdByStore; index < players; index++) {
    add.run(Number(project?.project_id), 1_000 + index, encodeText(idOf(index)), stateText);
  }
  database.exec('COMMIT');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const each = (statSync(file).size - before) / Math.max(1, players - createdByStore);
  console.log(`${players - createdByStore} more: ${each.toFixed(0)} bytes each`);
}

/** An identity with an address and a name for every player. */
function createIdentities({ accountId }: Credentials): void {
  const before = statSync(file).size;
  const database = new DatabaseSync(file);
  const add = database.prepare(
    `INSERT INTO identities (account_id, subject, provider, end_user_id, email, name, id_key, email_key, name_key, created_at, last_signed_in_at)
     VALUES (?1, ?2, '"password"', ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?8)`,
  );
  database.exec('BEGIN');
  for (let index = 0; index < players; index++) {
    const id = idOf(index);
    const email = `${letterOf('email', index)}${digest('email', index).slice(0, 10)}@mail.example`;
    const name = `${letterOf('name', index)}${digest('name', index).slice(0, 8)}`;
    const keys = [idKey(id), textKey(email), textKey(name)];
    add.run(accountId, encodeText(id), encodeText(email), encodeText(name), ...keys, 1_000 + index);
  }
  database.exec('COMMIT');
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
  const each = (statSync(file).size - before) / players;
  console.log(`${players} identities with address and name: ${each.toFixed(0)} bytes each`);
}

/** Searches by one to three characters in sequence, while another client reads a small record continuously. */
async function search({ port, env }: RunningServer, credentials: Credentials): Promise<void> {
  const server = await startServerProcess({ dataDir, port, env });
  const { baseUrl, developerToken, apiKey } = credentials;
  const developer = createApi(baseUrl, `Bearer ${developerToken}`);
  const other = createApi(baseUrl, `ApiKey ${apiKey}`);
  let isOver = false;
  const waits: number[] = [];
  const reading = (async () => {
    while (!isOver) {
      const sentAt = performance.now();
      await other.send('GET', publicStatePath(credentials, 'production'));
      waits.push(performance.now() - sentAt);
      await sleep(1);
    }
  })();
  const random = seededRandom(1);
  for (const [what, more] of [
    ['a page', ''],
    ['a page with its count', '&count=true'],
  ] as const) {
    for (const length of [1, 2, 3]) {
      const times: number[] = [];
      const cpuBefore = cpuMicroseconds(server.pid);
      waits.length = 0;
      for (let index = 0; index < Number(values.searches); index++) {
        const id = idOf(Math.floor(random() * players));
        const sentAt = performance.now();
        const path = `${projectPath(credentials)}/players?limit=50&query=${id.slice(0, length)}${more}`;
        expectStatus(await developer.send('GET', path), 200);
        times.push(performance.now() - sentAt);
      }
      times.sort((a, b) => a - b);
      const [p50, p99, wait] = [quantile(times, 0.5), quantile(times, 0.99), Math.max(...waits)].map((ms) => ms.toFixed(1));
      const cpu = (cpuMicroseconds(server.pid) - cpuBefore) / times.length / 1_000;
      const letter = length === 1 ? 'character' : 'characters';
      console.log(
        `${what} by ${length} ${letter}: p50 ${p50} ms, p99 ${p99} ms, ${cpu.toFixed(1)} ms of processor time; others wait ${wait} ms at most`,
      );
    }
  }
  isOver = true;
  await reading;
  developer.close();
  other.close();
  await server.kill();
}

/** Admits guests as fast as possible, with all threads on one core. */
async function admitGuests({ port, env }: RunningServer, credentials: Credentials): Promise<void> {
  const { accountId, slug, baseUrl } = credentials;
  const server = await startServerProcess({ dataDir, port, env, core: 0 });
  await allowSignIn(credentials);
  const api = createApi(baseUrl, '');
  const nonce = await freshNonce(api);
  const place = { baseUrl, clientId: `${accountId}.${slug}`, scope: 'env:production' };
  const forms = Array.from({ length: Number(values.tokens) }, () => guestForm(place, nonce));
  const warm = forms.splice(0, Math.floor(forms.length / 4));
  const send = async (left: typeof forms) => {
    for (let form = left.pop(); form !== undefined; form = left.pop()) expectStatus(await postToken(api, form), 200);
  };
  const all = (left: typeof forms) => Promise.all(Array.from({ length: 64 }, () => send(left)));
  await all(warm);
  const count = forms.length;
  const [cpuBefore, begunAt] = [cpuMicroseconds(server.pid), performance.now()];
  await all(forms);
  const cpu = (cpuMicroseconds(server.pid) - cpuBefore) / count;
  const perSecond = Math.round((count / (performance.now() - begunAt)) * 1_000);
  console.log(
    `guests: ${perSecond} tokens a second on one core; ${cpu.toFixed(0)} us of processor time each, so ${Math.round(1e6 / cpu)} a second at most`,
  );
  api.close();
  await server.kill();
}

const port = await freePort();
const baseUrl = `http://127.0.0.1:${port}`;
const env = {
  SVC_BASE_URL: baseUrl,
  SVC_GUESTS_PER_HOUR: '0',
  SVC_QUOTA_END_USERS: '0',
  SVC_QUOTA_STORAGE_BYTES: '0',
  SVC_LOG_LEVEL: 'error',
};
try {
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const isNew = !existsSync(file);
  const first = await startServerProcess({ dataDir, port, env });
  const credentials = await createAccount(dataDir, { baseUrl }, env);
  await first.stop();
  if (isNew || values.data === undefined) {
    await createPlayers(credentials);
    createIdentities(credentials);
  }
  await search({ port, env }, credentials);
  await admitGuests({ port, env }, credentials);
} finally {
  if (values.keep) console.log(`the data is in ${dataDir}`);
  else rmSync(dataDir, { recursive: true, force: true });
}
