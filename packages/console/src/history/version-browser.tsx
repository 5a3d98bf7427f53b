/** The versions of a document beside the differences of the chosen one. */
import type { ComponentProps } from 'react';
import { useTexts } from '../texts/index.ts';
import { DocumentPicker, type Picked } from './document-picker.tsx';
import { Comparison, NothingShown } from './history-comparison.tsx';
import { Timeline } from './history-timeline.tsx';
import type { VersionList } from './version-list.ts';
import './history.css';

type ComparisonProps = Omit<ComponentProps<typeof Comparison>, 'version' | 'current' | 'picker'>;
type PickerProps = ComponentProps<typeof DocumentPicker>;

interface VersionBrowserProps extends ComparisonProps {
  readonly list: VersionList;
  readonly history: { readonly isFetchingNextPage: boolean; readonly fetchNextPage: () => unknown };
  /** Chooses a version, and the one to compare it with. */
  readonly onChoose: (next: { version: number; from?: number }) => void;
  /** Other documents to compare with, and the choice among all; left out if there are only versions. */
  readonly others?: Pick<PickerProps, 'value' | 'environments' | 'proposals' | 'onPick'>;
}

export function VersionBrowser({ list, history, onChoose, others, ...comparison }: VersionBrowserProps) {
  const t = useTexts();
  const { items, shown } = list;
  const pickVersion = (picked: Picked) => {
    if (shown !== undefined && 'version' in picked) onChoose({ version: shown, from: picked.version });
  };
  return (
    <div className="history">
      <Timeline
        list={list}
        document={comparison.summary === undefined ? comparison.to.data?.state : undefined}
        isLoading={history.isFetchingNextPage}
        onMore={() => void history.fetchNextPage()}
        onSelect={(version) => onChoose({ version })}
      />
      {shown === undefined ? (
        <NothingShown list={list} />
      ) : (
        <Comparison
          {...comparison}
          version={shown}
          current={items[0]?.version ?? 0}
          picker={
            (others !== undefined || items.length > 1) && (
              <DocumentPicker
                label={t.history.pick}
                value={{ version: comparison.from }}
                versions={items.filter(({ version }) => version !== shown)}
                onPick={pickVersion}
                {...others}
              />
            )
          }
        />
      )}
    </div>
  );
}
