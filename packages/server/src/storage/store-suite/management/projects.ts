import { expect } from 'vitest';
import type { PagePosition } from '../../contract/pages.ts';
import { account, type CreateStoreHarness, casesOf, project, type Weight, weirdTexts, withStore } from '../harness.ts';
import { byOperator, projectChanges } from '../records.fixture.ts';

export function projects(createHarness: CreateStoreHarness, weight: Weight = 'quick'): void {
  const { each, sized, test } = casesOf(weight);
  const at = withStore(createHarness);
  const key = { accountId: 'acc_1', slug: 'p' };

  test('adding a project requires its account', async () => {
    expect(await at.store.createProject(byOperator, project())).toBe('no_account');
    expect(await at.store.findProject(key)).toBeUndefined();
  });

  test('a project comes back unchanged, only in its own account', async () => {
    await at.store.createAccount(account('acc_1'));
    await at.store.createAccount(account('acc_2'));
    expect(await at.store.createProject(byOperator, project())).toBe('created');
    expect(await at.store.findProject(key)).toEqual(project());
    expect(await at.store.findProject({ accountId: 'acc_2', slug: 'p' })).toBeUndefined();
    expect(await at.store.createProject(byOperator, project('p', { accountId: 'acc_2', name: 'Other' }))).toBe('created');
    expect(await at.store.findProject(key)).toEqual(project());
  });

  test('creating a project with an existing slug changes nothing', async () => {
    await at.store.createAccount(account());
    await at.store.createProject(byOperator, project());
    expect(await at.store.createProject(byOperator, project('p', { name: 'Other' }))).toBe('already_exists');
    expect(await at.store.findProject(key)).toEqual(project());
  });

  test('a change returns the changed project, or undefined if it does not exist', async () => {
    await at.store.createAccount(account());
    expect(await at.store.updateProject(byOperator, key, { name: 'x' })).toBeUndefined();
    await at.store.createProject(byOperator, project());
    await at.store.findProject(key);
    expect(await at.store.updateProject(byOperator, key, { name: 'New' })).toEqual(project('p', { name: 'New' }));
    expect(await at.store.findProject(key)).toEqual(project('p', { name: 'New' }));
  });

  test('each setting changes separately, is kept until changed again, and is deleted with the project', async () => {
    await at.store.createAccount(account());
    await at.store.createProject(byOperator, project());
    let expected = project();
    for (const changes of projectChanges) {
      for (const [name, value] of Object.entries(changes)) {
        expected = { ...expected, [name]: value };
        expect(await at.store.updateProject(byOperator, key, { [name]: value })).toEqual(expected);
        expect(await at.store.findProject(key)).toEqual(expected);
      }
      await at.reopen();
      expect((await at.store.listProjects('acc_1', { after: null, itemsMax: 5 })).items).toEqual([expected]);
    }
    await at.store.updateProject(byOperator, key, projectChanges[0] ?? {});
    await at.store.deleteProject(byOperator, key);
    await at.store.createProject(byOperator, project());
    expect(await at.store.findProject(key)).toEqual(project());
  });

  each('the name %j comes back unchanged', weirdTexts, async (name) => {
    await at.store.createAccount(account());
    await at.store.createProject(byOperator, project('p', { name }));
    await at.reopen();
    expect((await at.store.findProject(key))?.name).toBe(name);
  });

  test('a page lists projects of one account only', async () => {
    for (const accountId of ['acc_1', 'acc_2']) {
      await at.store.createAccount(account(accountId));
      await at.store.createProject(byOperator, project(`of-${accountId.slice(4)}`, { accountId }));
    }
    const page = await at.store.listProjects('acc_1', { after: null, itemsMax: 10 });
    expect(page).toEqual({ items: [project('of-1')], next: null });
    expect(await at.store.listProjects('acc_3', { after: null, itemsMax: 10 })).toEqual({ items: [], next: null });
  });

  const many = { quick: 12, heavy: 40 };
  sized('pages neither skip nor repeat projects while others are created and deleted', many, async (count) => {
    await at.store.createAccount(account());
    const slugs = Array.from({ length: count }, (_, i) => `p${String(i).padStart(2, '0')}`);
    // Groups of four have the same time, so that ties occur at page boundaries.
    for (const [i, slug] of slugs.entries()) {
      await at.store.createProject(byOperator, project(slug, { createdAt: 1_000 + Math.floor(i / 4) }));
    }
    const seen: string[] = [];
    let after: PagePosition | null = null;
    for (let pages = 0; ; pages++) {
      const page = await at.store.listProjects('acc_1', { after, itemsMax: 3 });
      seen.push(...page.items.map(({ slug }) => slug));
      if (page.next === null) break;
      after = page.next;
      await at.store.createProject(byOperator, project(`new-${pages}`, { createdAt: 9_000 }));
      await at.store.deleteProject(byOperator, { accountId: 'acc_1', slug: seen.at(-1) as string });
    }
    expect(seen).toEqual(slugs.toReversed());
  });
}
