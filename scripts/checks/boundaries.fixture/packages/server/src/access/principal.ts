export interface Principal {
  readonly accountId: string;
}
