// breaks: storage-contract-is-pure
export { Refusal } from '../../common/refusal.ts';
