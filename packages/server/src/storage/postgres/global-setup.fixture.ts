/** Starts the one PostgreSQL that the tests of a run share. */
import type { TestProject } from 'vitest/node';
import { startPostgres } from './cluster.fixture.ts';
import { prepareLeases } from './databases.fixture.ts';

/** Provides the server's URL as `inject('postgresUrl')`, and returns what ends it. */
export default async function setup({ provide }: TestProject): Promise<() => Promise<void>> {
  const cluster = await startPostgres();
  await prepareLeases(cluster.url());
  provide('postgresUrl', cluster.url());
  return () => cluster.dispose();
}
