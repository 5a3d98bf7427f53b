// breaks: storage-contract-is-pure
export { Refusal } from '../access/refusal.ts';
