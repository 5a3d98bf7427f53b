/** Reading a small document, against a bare server that sends the same bytes. */

import { pathOf } from '../../tooling/load/seed.ts';
import { compare } from '../compare.ts';
import type { Flags } from '../flags.ts';
import { type Report, ratioColumns, ratioRow } from '../report.ts';
import { type Floor, type Service, startFloor, startService } from '../servers.ts';

const connections = 64;
const target = { target: 0.85, moonshot: 0.95 };

/** GET of a 2 KB document with an API key and with a bearer token. The floor gets the same requests. */
export async function measureGet(flags: Flags): Promise<Report> {
  const { profileFolder } = flags;
  const service = await startService({ stores: true, projects: 1, apiKeys: 1, document: 'small' }, { profileFolder });
  const { baseUrl, apiKeys, developerToken } = service.ready;
  const url = baseUrl + pathOf(0);
  const apiKey = `ApiKey ${apiKeys[0]}`;
  const floor = await startFloor(url, apiKey);
  const load = (server: Service | Floor, Authorization: string) => (seconds: number) =>
    server.measure(
      { kind: 'fixed', url: server.ready.baseUrl + pathOf(0), connections, headers: { Authorization } },
      seconds,
    );
  const bearer = `Bearer ${developerToken}`;
  const measurements = await compare(
    {
      apiKey: load(service, apiKey),
      floorWithApiKey: load(floor, apiKey),
      bearer: load(service, bearer),
      floorWithBearer: load(floor, bearer),
    },
    flags,
  );
  return {
    title: 'GET of a 2 KB document',
    columns: ratioColumns,
    rows: [
      ratioRow('with an API key', measurements.apiKey, measurements.floorWithApiKey, target),
      ratioRow('with a bearer token', measurements.bearer, measurements.floorWithBearer, target),
    ],
    notes: [
      `${connections} connections, kept alive. The floor is a bare node:http server that gets the same request and sends the same bytes.`,
    ],
    measurements,
  };
}
