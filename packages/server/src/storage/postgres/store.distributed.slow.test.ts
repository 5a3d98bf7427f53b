import { stateContract } from '../store-contract/suite.ts';
import { createDistributedHarness } from './store.fixture.ts';

stateContract('A distributed database', createDistributedHarness);
