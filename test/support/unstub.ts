/** Gives the files that follow in one process the globals of the runtime again, whatever a test has put in their place. */
import { afterAll, vi } from 'vitest';

afterAll(() => void vi.unstubAllGlobals());
