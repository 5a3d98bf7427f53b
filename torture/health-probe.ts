/** A healthy client, beside the hostile ones. */

import { Agent, request } from 'node:http';
import type { Credentials } from '../tooling/credentials.ts';
import { publicStatePath } from '../tooling/credentials.ts';

export interface Probe {
  /** Reads the demo document; returns the fault of the response, or undefined. */
  check(): Promise<string | undefined>;
  close(): void;
}

const patienceMilliseconds = 60_000;

/** A probe with its own connection, which is kept between checks. */
export function createProbe(credentials: Credentials): Probe {
  const { hostname, port, apiKey } = credentials;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const options = {
    agent,
    hostname,
    port,
    path: publicStatePath(credentials, 'development'),
    headers: { Authorization: `ApiKey ${apiKey}` },
    timeout: patienceMilliseconds,
  };
  const check = () =>
    new Promise<string | undefined>((resolve) => {
      const probe = request(options, (response) => {
        const { statusCode, headers } = response;
        response.resume();
        response.on('error', (error) => resolve(error.message));
        response.on('end', () => {
          const isHealthy = (statusCode === 200 || statusCode === 204) && headers['api-version'] === '1';
          resolve(isHealthy ? undefined : `status ${statusCode}, API-Version ${headers['api-version']}`);
        });
      });
      probe.on('timeout', () => probe.destroy(new Error(`no answer within ${patienceMilliseconds / 1000} s`)));
      probe.on('error', (error) => resolve(error.message));
      probe.end();
    });
  return { check, close: () => agent.destroy() };
}
