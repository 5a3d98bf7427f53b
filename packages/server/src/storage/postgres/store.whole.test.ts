import { wholeContract } from '../store.contract.ts';
import { createPostgresHarness } from './store.fixture.ts';

wholeContract('PostgreSQL', createPostgresHarness);
