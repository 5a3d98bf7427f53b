/** The heading of pages of an environment's document. */
import type { ReactNode } from 'react';
import { Plain } from './plain.tsx';
import './document-header.css';

interface DocumentHeaderProps {
  /** Where the parts stand: `document-header.css` has their areas. */
  readonly kind: 'configuration' | 'flags' | 'rules';
  readonly title: string;
  /** What stands beside the title. */
  readonly beside?: ReactNode;
  /** The switch of environments, the version and a badge, each as one element. */
  readonly parts: ReactNode;
  /** The buttons. */
  readonly children?: ReactNode;
}

/** Shows the title of a document's page, the parts and the buttons. */
export function DocumentHeader({ kind, title, beside, parts, children }: DocumentHeaderProps) {
  return (
    <header className="document-header" data-kind={kind}>
      <div className="title-row">
        <h1 tabIndex={-1}>
          <Plain>{title}</Plain>
        </h1>
        {beside}
      </div>
      {parts}
      {children && <div className="page-actions">{children}</div>}
    </header>
  );
}
