/** The title of a dialog, with the environment that it is about below it. */
import type { Environment } from '@holdfast/contract';
import type { ReactNode } from 'react';
import { EnvironmentName } from './controls.tsx';
import { Plain } from './plain.tsx';

export const TitleIn = ({ env, children }: { env: Environment; children: ReactNode }) => (
  <>
    {typeof children === 'string' ? <Plain>{children}</Plain> : children}
    <span className="title-env">
      <EnvironmentName env={env} />
    </span>
  </>
);
