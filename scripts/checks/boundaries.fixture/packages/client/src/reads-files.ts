// breaks: client-runs-everywhere
export { readFileSync } from 'node:fs';
