import { stateContract } from '../store.contract.ts';
import { createPostgresHarness } from './store.fixture.ts';

stateContract('PostgreSQL', createPostgresHarness);
