/** Says on every page that the service cannot be reached. */
import { CloudOff } from 'lucide-react';
import { useSyncExternalStore } from 'react';
import { connection, probe } from '../api/connection.ts';
import { useTexts } from '../texts/index.ts';
import './offline-bar.css';

const useReachable = (): boolean => useSyncExternalStore(connection.subscribe, () => connection.isReachable);

export function OfflineBar() {
  const t = useTexts();
  const isReachable = useReachable();
  return (
    <div role="status">
      {!isReachable && (
        <p className="offline-bar">
          <CloudOff aria-hidden="true" />
          <span>{t.errors.offlineBar}</span>
          <button type="button" className="link" onClick={probe}>
            {t.common.retry}
          </button>
        </p>
      )}
    </div>
  );
}
