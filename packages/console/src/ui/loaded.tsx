/** The result of a query, or its state. */
import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { Skeleton } from './controls.tsx';
import { Fault, NotLoaded } from './fault.tsx';

type Query<Data> = Pick<UseQueryResult<Data>, 'data' | 'error' | 'isPending' | 'refetch'>;

interface LoadedProps<Data> {
  readonly query: Query<Data>;
  /** How many grey bars replace it. */
  readonly rows: number;
  /** Of what was found. */
  readonly children: (data: NonNullable<Data>) => ReactNode;
}

export function Loaded<Data>({ query, rows, children }: LoadedProps<Data>) {
  const { data, error, isPending, refetch } = query;
  const retry = () => void refetch();
  return (
    <>
      {data == null && error ? <NotLoaded error={error} onRetry={retry} /> : <Fault error={error} onRetry={retry} />}
      {isPending && <Skeleton rows={rows} />}
      {data != null && children(data)}
    </>
  );
}
