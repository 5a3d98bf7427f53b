// breaks: storage-contract-is-pure
export type { Row } from '../sql/rows.ts';
