// breaks: common-knows-nobody
export { StoreUnavailable } from '../storage/store.ts';
