// breaks: storage-contract-is-pure
export { Refusal } from '../../common/requests/refusal.ts';
