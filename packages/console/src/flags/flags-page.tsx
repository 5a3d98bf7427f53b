/** The feature flags of an environment. Changes are part of its document: they are reviewed, merged and saved with it. */
import type { JsonObject, JsonValue } from '@holdfast/json';
import { useQuery } from '@tanstack/react-query';
import { Link, useNavigate, useSearch } from '@tanstack/react-router';
import { ArrowLeft, Flag as FlagIcon, Plus } from 'lucide-react';
import { type ComponentProps, type ReactNode, useId, useMemo, useState } from 'react';
import { openingQuery } from '../api/queries.ts';
import { type StateKey, stateKeyName } from '../api/state.ts';
import { EditorActions } from '../editor/editor-actions.tsx';
import { usePageKeys } from '../editor/page-keys.ts';
import { type DocumentOpening, type EditedDocument, openDocument, useDocument } from '../open-text/open-document.ts';
import { EnvironmentSwitch } from '../page/environment-switch.tsx';
import { isMissing, NotFound } from '../page/not-found.tsx';
import { useStateKey } from '../page/route-params.ts';
import { useFindings } from '../problems/document-check.ts';
import { ForbiddenNotice } from '../saving/forbidden-notice.tsx';
import { useSaving } from '../saving/saving.tsx';
import { useWriting } from '../saving/writing.ts';
import { DraftNotice, Head, NewerNotice, UnsavedBadge } from '../state/state-head.tsx';
import { textsOf, useTexts } from '../texts/index.ts';
import { Button, EmptyState, Notice, Skeleton } from '../ui/controls.tsx';
import { NotLoaded } from '../ui/fault.tsx';
import { PageHeader } from '../ui/page-header.tsx';
import type { Suggestions } from './condition.tsx';
import { collectAttributes, flagsOf, isFlag, withFlag } from './flag.ts';
import { FlagEditor } from './flag-editor.tsx';
import { FlagList, findingsOf } from './flag-list.tsx';
import { FlagMenu } from './flag-menu.tsx';
import { NewFlag } from './new-flag.tsx';
import './flags-page.css';

const [useFlagTexts] = textsOf('flags');

export function FlagsPage() {
  const key = useStateKey();
  return <Opened key={stateKeyName(key)} stateKey={key} />;
}

function Opened({ stateKey }: { stateKey: StateKey }) {
  const t = useTexts();
  const opening = useQuery(openingQuery('editing', stateKey, openDocument));
  if (isMissing(opening.error)) return <NotFound />;
  if (opening.data !== undefined) return <Flags stateKey={stateKey} opening={opening.data} />;
  return (
    <div className="page">
      <PageHeader kind="flags" title={t.nav.flags} lead={<EnvironmentSwitch />} />
      {opening.error ? <NotLoaded error={opening.error} onRetry={() => void opening.refetch()} /> : <Skeleton rows={8} />}
    </div>
  );
}

function Flags({ stateKey, opening }: { stateKey: StateKey; opening: DocumentOpening }) {
  const edited = useDocument(stateKey, opening);
  const { findings } = useFindings(stateKey, edited.read);
  const saving = useSaving(stateKey, edited, findings);
  const writing = useWriting(stateKey);
  const { read, isChanged, newer } = edited;
  const isTooLarge = read.kind === 'document' && read.isTooLarge;
  const isReady = isChanged && read.kind === 'document' && !isTooLarge;
  usePageKeys({ s: () => isReady && saving.startReview() });
  return (
    <div className="page flags-page">
      <Content
        stateKey={stateKey}
        edited={edited}
        findings={findings}
        lead={<Head stateKey={stateKey} edited={edited} />}
        actions={<EditorActions edited={edited} isReady={isReady} onReview={saving.startReview} />}
        notices={
          <>
            <ForbiddenNotice writing={writing} env={stateKey.env} />
            {opening.draft !== undefined && <DraftNotice draft={opening.draft} isShown={isChanged} />}
            {newer !== undefined && isChanged && (
              <NewerNotice stateKey={stateKey} edited={edited} onMerge={() => void saving.merge(false)} />
            )}
          </>
        }
      />
      {saving.dialogs}
    </div>
  );
}

interface ContentProps {
  readonly stateKey: StateKey;
  readonly edited: EditedDocument;
  readonly findings: ReturnType<typeof useFindings>['findings'];
  readonly lead: ReactNode;
  readonly actions: ReactNode;
  readonly notices: ReactNode;
}

function Back() {
  const f = useFlagTexts();
  const { slug, env } = useStateKey();
  return (
    <Link className="back-link" to="/p/$slug/$env/flags" params={{ slug, env }} title={f.back}>
      <ArrowLeft aria-hidden="true" />
      <span>{f.back}</span>
    </Link>
  );
}

/** The list, or the flag in the address. */
function Content({ stateKey, edited, findings, lead, actions, notices }: ContentProps) {
  const t = useTexts();
  const { flag: shown } = useSearch({ from: '/shell/p/$slug/$env/flags' });
  const navigate = useNavigate();
  const [isNewOpen, setNewOpen] = useState(false);
  const document = edited.read.kind === 'document' ? edited.read.value : undefined;
  const flags = document && flagsOf(document);
  const attributesId = useId();
  const suggestions = useSuggestions(document, attributesId);
  const { slug, env } = stateKey;
  const set = (key: string, flag: JsonValue | undefined) => {
    if (document === undefined) return;
    edited.change(withFlag(document, key, flag));
    edited.readNow(); // keeps the draft before somebody leaves the page
  };
  const go = (flag?: string) =>
    void navigate({ to: '/p/$slug/$env/flags', params: { slug, env }, search: flag === undefined ? {} : { flag } });
  const remove = (key: string) => {
    set(key, undefined);
    go();
  };
  const newFlag = (isPrimary: boolean) => <NewFlagButton isPrimary={isPrimary} onClick={() => setNewOpen(true)} />;
  const isEmpty = flags !== undefined && shown === undefined && Object.keys(flags).length === 0;
  const isKnown = flags !== undefined && shown !== undefined && Object.hasOwn(flags, shown);
  return (
    <>
      <PageHeader
        kind="flags"
        title={shown ?? t.nav.flags}
        back={shown !== undefined && <Back />}
        beside={<UnsavedBadge edited={edited} />}
        lead={lead}
      >
        {(!isEmpty || edited.isChanged) && actions}
        {!isEmpty && flags !== undefined && shown === undefined && newFlag(!edited.isChanged)}
        {isKnown && <FlagMenu flagKey={shown} onDelete={() => remove(shown)} />}
      </PageHeader>
      {notices}
      <Shown {...{ stateKey, edited, document, flags, shown, findings, suggestions }} onChange={set}>
        {newFlag(true)}
      </Shown>
      <Attributes suggestions={suggestions} />
      {isNewOpen && flags !== undefined && (
        <NewFlag
          taken={flags}
          suggestions={suggestions}
          onClose={() => setNewOpen(false)}
          onCreate={(key, flag) => {
            setNewOpen(false);
            set(key, flag);
            go(key);
          }}
        />
      )}
    </>
  );
}

interface ShownProps extends Pick<ContentProps, 'stateKey' | 'edited' | 'findings'> {
  readonly document: JsonObject | undefined;
  /** Undefined if they cannot be read. */
  readonly flags: JsonObject | undefined;
  /** The key of the flag in the address, if any. */
  readonly shown: string | undefined;
  readonly suggestions: Suggestions;
  readonly onChange: (key: string, flag: JsonValue) => void;
  /** What can be done where there are no flags. */
  readonly children: ReactNode;
}

/** The list, the flag in the address, or why there is none. */
function Shown(props: ShownProps) {
  const { stateKey, edited, document, flags, shown, findings, suggestions, onChange, children } = props;
  if (flags === undefined) return <Unreadable stateKey={stateKey} isFault={document === undefined} />;
  if (shown === undefined) {
    return <List {...{ stateKey, flags, findings, onChange }}>{children}</List>;
  }
  const flag = Object.hasOwn(flags, shown) ? flags[shown] : undefined;
  if (flag === undefined) return <Unknown flagKey={shown} />;
  return (
    <FlagEditor
      key={shown}
      {...{ stateKey, suggestions, flag }}
      flagKey={shown}
      findings={findingsOf(findings, shown)}
      attributes={attributesOf(flag, document)}
      savedVersion={savedVersionOf(edited, shown)}
      isChanged={edited.isChanged}
      onChange={(next) => onChange(shown, next)}
    />
  );
}

function NewFlagButton({ isPrimary, onClick }: { isPrimary: boolean; onClick: () => void }) {
  const f = useFlagTexts();
  return (
    <Button {...(isPrimary && { kind: 'primary' })} icon={<Plus />} onClick={onClick}>
      {f.new}
    </Button>
  );
}

/** The list, or advice where there are no flags. */
function List({ children, ...props }: ComponentProps<typeof FlagList> & { children: ReactNode }) {
  const f = useFlagTexts();
  if (Object.keys(props.flags).length > 0) return <FlagList {...props} />;
  return (
    <EmptyState icon={<FlagIcon />} title={f.empty} action={children}>
      {f.emptyText}
    </EmptyState>
  );
}

function Unknown({ flagKey }: { flagKey: string }) {
  const f = useFlagTexts();
  return (
    <EmptyState icon={<FlagIcon />} title={f.unknown(flagKey)}>
      {f.unknownText}
    </EmptyState>
  );
}

/** What fields of attributes suggest. */
const Attributes = ({ suggestions: { attributesId, attributes } }: { suggestions: Suggestions }) => (
  <datalist id={attributesId}>
    {attributes.map((name) => (
      <option key={name} value={name} />
    ))}
  </datalist>
);

/** Flags are edited in the configuration while they cannot be shown. */
function Unreadable({ stateKey: { slug, env }, isFault }: { stateKey: StateKey; isFault: boolean }) {
  const f = useFlagTexts();
  return (
    <Notice
      kind="warn"
      action={
        <Link className="button" to="/p/$slug/$env/state" params={{ slug, env }}>
          {f.openConfiguration}
        </Link>
      }
    >
      {isFault ? f.notJson : f.notFlags}
    </Notice>
  );
}

/** The attributes that a flag's rules read, with those of the shared rules. */
function attributesOf(flag: JsonValue, document: JsonObject | undefined): readonly string[] {
  if (!isFlag(flag)) return [];
  const found = new Set<string>();
  collectAttributes(flag.targeting, found);
  if (JSON.stringify(flag.targeting ?? null).includes('"$ref"')) collectAttributes(document?.$evaluators, found);
  return [...found];
}

function useSuggestions(document: JsonObject | undefined, attributesId: string): Suggestions {
  return useMemo(() => {
    const found = new Set<string>();
    for (const flag of Object.values((document && flagsOf(document)) ?? {}))
      if (isFlag(flag)) collectAttributes(flag.targeting, found);
    const evaluators = document?.$evaluators;
    collectAttributes(evaluators, found);
    const shared = typeof evaluators === 'object' && evaluators !== null ? Object.keys(evaluators) : [];
    const attributes = [...new Set([...found, 'country', 'email', 'version', 'targetingKey'])];
    return { attributesId, attributes, shared };
  }, [document, attributesId]);
}

/** The saved version, if it has the flag. */
function savedVersionOf({ base }: EditedDocument, key: string): number | undefined {
  const flags = base === null ? undefined : flagsOf(base.state);
  return flags !== undefined && Object.hasOwn(flags, key) ? base?.version : undefined;
}
