// breaks: storage-contract-is-pure
export type { Row } from '../rows/rows.ts';
