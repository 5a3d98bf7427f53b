/** The versions of a document, and the differences of the chosen one: beside them, or below it in the list. */
import type { ComponentProps } from 'react';
import { useTexts } from '../texts/index.ts';
import { wideWindow } from '../ui/wide-window.ts';
import { DocumentPicker, type Picked } from './document-picker.tsx';
import { Comparison, NothingShown } from './history-comparison.tsx';
import { Timeline } from './history-timeline.tsx';
import type { VersionList } from './version-list.ts';
import './history.css';

type ComparisonProps = Omit<ComponentProps<typeof Comparison>, 'version' | 'current' | 'picker' | 'isInRow'>;
type PickerProps = ComponentProps<typeof DocumentPicker>;

/** Whether the window has room for the differences beside the list. */
const useHasRoomBeside = wideWindow(1101);

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
  const isBeside = useHasRoomBeside() && !comparison.isNarrow;
  const detail =
    shown === undefined ? (
      <NothingShown list={list} />
    ) : (
      <Comparison
        {...comparison}
        version={shown}
        current={items[0]?.version ?? 0}
        isInRow={!isBeside}
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
    );
  return (
    <div className="history" data-beside={isBeside || undefined}>
      <Timeline
        list={list}
        document={comparison.summary === undefined ? comparison.to.data?.state : undefined}
        detail={isBeside ? undefined : detail}
        isLoading={history.isFetchingNextPage}
        onMore={() => void history.fetchNextPage()}
        onSelect={(version) => onChoose({ version })}
      />
      {isBeside && detail}
    </div>
  );
}
