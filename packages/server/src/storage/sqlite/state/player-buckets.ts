/** The buckets of players, which each keep the highest version of their deleted states. */
import { createHmac } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import { bytesAt } from '../../rows/columns.ts';
import { encodeText } from '../../rows/stored-texts.ts';
import { statement } from '../directory/database.ts';

/** Sorts players into buckets, with the secret cached. */
export class PlayerBuckets {
  readonly #findSecret;
  #secret: Uint8Array | undefined;

  constructor(database: DatabaseSync) {
    // There is always one row, created with the table.
    this.#findSecret = statement(database, 'SELECT secret FROM bucket_key');
  }

  of(projectId: number, playerId: string): number {
    this.#secret ??= bytesAt(this.#findSecret.get() ?? {}, 'secret');
    return bucketOf(this.#secret, projectId, playerId);
  }
}

/**
 * The bucket of a player of a project, one of 4,096: 12 bits of a keyed hash, unrelated to the same player's buckets elsewhere. A bucket
 * reveals almost nothing about its players.
 */
export function bucketOf(secret: Uint8Array, projectId: number, playerId: string): number {
  const mac = createHmac('sha256', secret)
    .update(`${projectId}/${encodeText(playerId)}`)
    .digest();
  return mac.readUInt16BE(0) >> 4;
}
