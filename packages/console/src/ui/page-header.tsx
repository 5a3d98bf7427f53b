/** The heading of every page: one line with the title and the buttons, the tabs of its section, and a line below. */
import { createContext, type ReactNode, useContext } from 'react';
import { CopyButton } from './controls.tsx';
import { Plain } from './plain.tsx';
import { plain } from './plain-text.ts';
import './page-header.css';

/** Pages under common tabs. */
interface Section {
  readonly name: string;
  readonly tabs: ReactNode;
}

/** The section of the shown page, if it has one. */
export const PageSection = createContext<Section | undefined>(undefined);

interface PageHeaderProps {
  readonly title: string;
  /** Whether the title is an identifier: it stays in one line, and can be copied. */
  readonly isId?: boolean;
  /** The link to the list that the page belongs to. */
  readonly back?: ReactNode;
  /** What stands beside the title. */
  readonly beside?: ReactNode;
  /** A sentence, or switches and facts. */
  readonly lead?: ReactNode;
  /** Of a document: how `page-header.css` saves height on phones. */
  readonly kind?: 'configuration' | 'flags';
  /** The buttons. */
  readonly children?: ReactNode;
}

/** Under tabs, the visible title is the name of the section, and the chosen tab says which of its pages it is. */
export function PageHeader({ title, isId = false, back, beside, lead, kind, children }: PageHeaderProps) {
  const section = useContext(PageSection);
  return (
    <header className="page-header" data-kind={kind}>
      <div className="title-row">
        {back}
        <h1 tabIndex={-1} className={isId ? 'mono cut' : undefined} title={isId ? plain(title) : undefined}>
          {section === undefined || section.name === title ? (
            <Plain>{title}</Plain>
          ) : (
            <>
              {section.name}
              <span className="hidden-text">: {title}</span>
            </>
          )}
        </h1>
        {isId && <CopyButton text={title} size="small" />}
        {beside}
      </div>
      {children && <div className="page-actions">{children}</div>}
      {section?.tabs}
      {lead && (typeof lead === 'string' ? <p className="lead">{lead}</p> : <div className="lead">{lead}</div>)}
    </header>
  );
}
