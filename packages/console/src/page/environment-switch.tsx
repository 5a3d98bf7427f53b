/** Switches a page to another environment. */
import { type Environment, environments } from '@holdfast/contract';
import { useNavigate, useParams, useRouterState, useSearch } from '@tanstack/react-router';
import { useCallback } from 'react';
import { rememberEnvironment } from '../api/environments.ts';
import { useTexts } from '../texts/index.ts';
import { EnvironmentName, Segments } from '../ui/controls.tsx';
import { useEnvironment } from './route-params.ts';
import './environment-switch.css';

/** Returns the link to the same page for another environment. A page without one stays. */
export function useSwitchEnvironment(): (env: Environment) => Promise<void> {
  const navigate = useNavigate();
  const { slug = '', env: shown, playerId, proposalId } = useParams({ strict: false });
  const { kind, view, flag } = useSearch({ strict: false });
  const page = useRouterState({ select: ({ location }) => location.pathname.split('/').at(-1) });
  return useCallback(
    async (env) => {
      rememberEnvironment(env);
      if (shown === undefined) return;
      const params = { slug, env };
      if (playerId !== undefined) {
        const to = page === 'history' ? '/p/$slug/$env/players/$playerId/history' : '/p/$slug/$env/players/$playerId';
        return navigate({ to, params: { ...params, playerId } });
      }
      if (page === 'schemas') {
        return navigate({ to: '/p/$slug/$env/schemas', params, search: { ...(kind && { kind }), ...(view && { view }) } });
      }
      if (page === 'overview') return navigate({ to: '/p/$slug/$env/overview', params });
      if (page === 'flags')
        return navigate({ to: '/p/$slug/$env/flags', params, search: flag === undefined ? {} : { flag } });
      if (page === 'history') return navigate({ to: '/p/$slug/$env/history', params });
      if (proposalId !== undefined || page === 'proposals')
        return navigate({ to: '/p/$slug/$env/proposals', params, search: { env } });
      if (page === 'players') return navigate({ to: '/p/$slug/$env/players', params });
      return navigate({ to: '/p/$slug/$env/state', params });
    },
    [navigate, slug, shown, playerId, proposalId, kind, view, flag, page],
  );
}

/** Keeps the focus, since the page is replaced. */
export function EnvironmentSwitch() {
  const env = useEnvironment();
  const switchTo = useSwitchEnvironment();
  const choose = async (next: Environment) => {
    await switchTo(next);
    // A drawer has one over that of its page.
    const switches = () => [...document.querySelectorAll<HTMLElement>('.environment-switch input:checked')];
    requestAnimationFrame(() => switches().at(-1)?.focus());
  };
  return <EnvironmentChoice value={env} onChange={(next) => void choose(next)} />;
}

/** The environments, of which one is chosen. */
export function EnvironmentChoice({ value, onChange }: { value: Environment; onChange: (env: Environment) => void }) {
  const t = useTexts();
  return (
    <span className="environment-switch">
      <Segments
        label={t.nav.environment}
        value={value}
        onChange={onChange}
        options={environments.map((one) => ({ value: one, label: <EnvironmentName env={one} /> }))}
      />
    </span>
  );
}
