/** Above the editor: the version, its author, and what others have saved meanwhile. */
import type { HistoryItemBody } from '@holdfast/contract';
import { useQuery } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactNode, useState } from 'react';
import type { Draft } from '../api/drafts.ts';
import { headQuery } from '../api/queries.ts';
import { useSubject } from '../api/signed-in.ts';
import type { StateKey } from '../api/state.ts';
import { useShownDocument } from '../editor/document-view.ts';
import type { EditedDocument } from '../open-text/open-document.ts';
import { EnvironmentSwitch } from '../page/environment-switch.tsx';
import { TheirComment } from '../saving/their-comment.tsx';
import { formatAgo, formatTime, type Texts, useTexts } from '../texts/index.ts';
import { authorInside, authorName } from '../ui/authors.ts';
import { Button, Notice } from '../ui/controls.tsx';
import { wideWindow } from '../ui/wide-window.ts';

export const useIsWide = wideWindow(641);

interface HeadProps {
  readonly stateKey: StateKey;
  readonly edited: EditedDocument;
  /** What stands beside the version in a narrow window. */
  readonly beside?: ReactNode;
}

/** The line below the title of the document: its environment and its version. */
export function Head({ stateKey, edited, beside }: HeadProps) {
  const t = useTexts();
  const subject = useSubject();
  const { base } = edited;
  const shown = useShownDocument();
  const isWide = useIsWide();
  const { data: head } = useQuery({ ...headQuery(stateKey), enabled: base !== null });
  return (
    <>
      <EnvironmentSwitch />
      <span className="document-version">
        {base === null ? (
          t.state.notSaved
        ) : (
          <>
            <span className="cut">
              <b>{t.common.version(base.version)}</b>
              {isWide && head?.version === base.version && (
                <time dateTime={head.createdAt} title={formatTime(head.createdAt)}>
                  {` ${savedBy(t, head, subject)}`}
                </time>
              )}
            </span>
            <Link
              className="history-link"
              to="/p/$slug/$env/history"
              params={{ slug: stateKey.slug, env: stateKey.env }}
              search={shown}
            >
              {t.nav.history}
            </Link>
          </>
        )}
      </span>
      {!isWide && beside}
    </>
  );
}

/** Beside the title while there are unsaved changes. */
export function UnsavedBadge({ edited }: { edited: Pick<EditedDocument, 'isChanged'> }) {
  const t = useTexts();
  return edited.isChanged ? <span className="badge warn">{t.state.unsaved}</span> : null;
}

/** Says that the text is a draft, until closed. */
export function DraftNotice({ draft, isShown }: { draft: Draft; isShown: boolean }) {
  const t = useTexts();
  const [isSeen, setSeen] = useState(false);
  if (isSeen || !isShown) return null;
  return (
    <Notice action={<Button onClick={() => setSeen(true)}>{t.common.close}</Button>}>
      {t.state.draftRestored(formatTime(draft.savedAt))}
    </Notice>
  );
}

export function NewerNotice(props: { stateKey: StateKey; edited: EditedDocument; onMerge: () => void }) {
  const t = useTexts();
  const subject = useSubject();
  const { newer, read } = props.edited;
  const { data: head } = useQuery(headQuery(props.stateKey, newer?.version));
  if (newer === null || newer === undefined) return <Notice kind="warn">{t.state.gone}</Notice>;
  const who = head?.version === newer.version ? authorName(t, head.author, subject) : t.common.developer;
  return (
    <Notice
      kind="warn"
      title={t.state.newer(newer.version, who)}
      action={
        <Button onClick={props.onMerge} disabled={read.kind === 'fault'}>
          {t.state.mergeNow}
        </Button>
      }
    >
      {t.state.newerHint}
      <TheirComment record={newer} />
    </Notice>
  );
}

/** Who saved a version and when. */
function savedBy(t: Texts, { author, createdAt }: HistoryItemBody, subject: string): string {
  const when = formatAgo(createdAt);
  return author === null ? when : t.state.savedBy(authorInside(t, author, subject), when);
}
