import { stateContract } from '../store-suite/suite.ts';
import { createDistributedHarness } from './store.fixture.ts';

stateContract('A distributed database', createDistributedHarness);
