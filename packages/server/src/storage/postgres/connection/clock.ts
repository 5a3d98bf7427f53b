/** The database's clock in microseconds since the epoch: what was added later has more, however fast the writes follow. */
export const clockMicros = '(extract(epoch FROM clock_timestamp()) * 1000000)::bigint';
