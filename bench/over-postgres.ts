/** The service and the driver alone over one database, measured together as contestants. */
import { databaseConnections, openRunDatabase, type RunDatabase } from '../tooling/database.ts';
import type { Load, LoadReport } from '../tooling/load/wrk.ts';
import type { DriverFloorSettings, DriverLoad } from './floors/driver-floor.ts';
import { digits, medianOf } from './report.ts';
import { type Measurement, type ProcessOptions, startProcess } from './server-process.ts';
import { type Service, startService } from './servers.ts';

type Measure = (seconds: number) => Promise<Measurement>;

export interface OverPostgres {
  readonly database: RunDatabase;
  readonly service: Service;
  /** Adds the database's cost to a measurement. */
  measure(work: () => Promise<Measurement>): Promise<Measurement>;
  /** A contestant: a load on a node, by default the only one. */
  load(load: Load, node?: Service): Measure;
  /** A contestant: the driver alone, with the statements that the service would send under such a load. */
  floor(load: Omit<DriverLoad, 'seconds'>): Measure;
}

/** Starts the service over an empty database, with this many small documents and API keys, and the driver. */
export async function startOverPostgres(
  documents: number,
  { profileFolder }: Pick<ProcessOptions, 'profileFolder'>,
): Promise<OverPostgres> {
  const database = await openRunDatabase();
  const seed = { stores: true, projects: documents, apiKeys: documents, document: 'small' } as const;
  const service = await startService({ ...seed, place: database.place }, { profileFolder });
  const settings: DriverFloorSettings = { url: database.url, connections: databaseConnections };
  const driver = await startProcess('floors/driver-floor.ts', settings);
  const measure: OverPostgres['measure'] = async (work) => {
    const before = database.cpuSeconds();
    const measurement = await work();
    const microseconds = (database.cpuSeconds() - before) * 1e6;
    return { ...measurement, databaseMicrosecondsPerRequest: microseconds / measurement.report.requests };
  };
  return {
    database,
    service,
    measure,
    load:
      (load, node = service) =>
      (seconds) =>
        measure(() => node.measure(load, seconds)),
    floor: (load) => (seconds) =>
      measure(() => driver.measure(() => driver.ask<LoadReport>({ ...load, seconds } satisfies DriverLoad))),
  };
}

/** Processor time per request, in the process and in the database. */
export function printCpu(measurements: readonly Measurement[]): string {
  const own = medianOf(measurements, ({ cpuMicrosecondsPerRequest }) => cpuMicrosecondsPerRequest);
  const database = medianOf(
    measurements,
    ({ databaseMicrosecondsPerRequest = Number.NaN }) => databaseMicrosecondsPerRequest,
  );
  return `${digits(own)} µs and ${digits(database)} µs of the database, ${digits(own + database)} µs together`;
}
