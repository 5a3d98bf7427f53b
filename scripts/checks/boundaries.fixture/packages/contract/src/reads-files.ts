// breaks: contract-is-pure
export { readFileSync } from 'node:fs';
