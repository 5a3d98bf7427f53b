/** A game server: prices that change while it runs, and a counter of visits that loses none, however many servers there are. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createClient } from '@holdfast/client';

/** A setting of the environment. Without it, the program says so and ends. */
function setting(name) {
  const value = process.env[name];
  if (value) return value;
  console.error(`${name} is missing: run \`. data/dev.env\` in the root of the repository first, in this terminal.`);
  process.exit(1);
}

const { publicState } = createClient({
  baseUrl: setting('HOLDFAST_URL'),
  accountId: setting('HOLDFAST_ACCOUNT_ID'),
  project: setting('HOLDFAST_PROJECT'),
  environment: setting('HOLDFAST_ENVIRONMENT'),
  auth: { apiKey: setting('HOLDFAST_API_KEY') },
});

/** The newest version, which every request reads without asking the service. */
let state = {};
const end = publicState.subscribe(
  (snapshot) => {
    state = snapshot.state ?? {};
    console.log(`version ${snapshot.version}`);
  },
  { onError: (error) => console.error(`no more changes: ${error.message}`) },
);

const routes = {
  'GET /price': async () => ({ goldPerDig: state.goldPerDig ?? 1 }),
  'POST /visits': async () => {
    const { state: written } = await publicState.update((draft) => {
      draft.visits = (draft.visits ?? 0) + 1;
    });
    return { visits: written.visits };
  },
};

const server = createServer(async (request, response) => {
  const route = routes[`${request.method} ${request.url}`];
  const answer = (status, body) =>
    response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
  if (route === undefined) return answer(404, { error: 'not_found' });
  try {
    answer(200, await route());
  } catch (error) {
    answer(503, { error: error.code, requestId: error.requestId });
  }
});
server.listen(Number(process.env.PORT ?? 8980), '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${server.address().port}`);
});

await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
end();
server.close();
