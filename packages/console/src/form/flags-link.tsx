/** A link from the flags of a configuration to their page. */
import { Link } from '@tanstack/react-router';
import type { ReactNode } from 'react';
import type { Configuration } from '../fields/members.ts';

interface FlagsLinkProps {
  readonly configuration: Configuration;
  readonly className?: string;
  readonly children: ReactNode;
}

export function FlagsLink({ configuration: { slug, env }, className, children }: FlagsLinkProps) {
  return (
    <Link to="/p/$slug/$env/flags" params={{ slug, env }} className={className}>
      {children}
    </Link>
  );
}
