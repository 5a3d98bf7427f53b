/** Starts a PostgreSQL server, prints its process id and its folder, and waits to be killed. */
import { startPostgres } from '../cluster.fixture.ts';

const cluster = await startPostgres();
console.log(`${cluster.pid} ${cluster.folder}`);
