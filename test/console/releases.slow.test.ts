/** Proposals, approvals and changes at a time, by two people in two browsers. */
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Developer } from '../support/server.ts';
import { toast, typeDocument } from './editor.ts';
import { join } from './people.ts';
import { type ConsoleWorld, openConsoleWorld, writeVersions } from './world.ts';

let world: ConsoleWorld;
beforeAll(async () => {
  world = await openConsoleWorld();
});
afterAll(() => world.stop());

const game = (gold: number, partySize = 4) => ({ gold, limits: { partySize, friends: 50 } });

interface Studio {
  readonly developer: Developer;
  readonly path: string;
  /** The address of the project in the console. */
  readonly at: string;
  /** The configuration of production now, or in a version. */
  read(version?: number): Promise<unknown>;
  joined(role: string, email: string): Promise<Page>;
}

async function openStudio(slug: string): Promise<Studio> {
  const { server } = world;
  const developer = await server.newDeveloper('Lanternfish Games');
  const account = `/v1/${developer.accountId}`;
  const body = { slug, name: 'Sea of Glass' };
  await server.call('POST', `${account}/projects`, { headers: developer.bearer, body });
  const path = `${account}/projects/${slug}`;
  await writeVersions(server, `${path}/public-state/production`, developer.bearer, [[game(10), 'Summer']]);
  return {
    developer,
    path,
    at: `${server.baseUrl}/console/p/${slug}`,
    async read(version) {
      const at = `${path}/public-state/production${version === undefined ? '' : `/versions/${version}`}`;
      const { json } = await server.call('GET', at, { headers: developer.bearer });
      return (json as { state: unknown }).state;
    },
    async joined(role, email) {
      const answer = await server.call('POST', `${account}/invitations`, {
        headers: developer.bearer,
        body: { role, email },
      });
      return join(world, { link: (answer.json as { url: string }).url, email, facts: /Lanternfish Games/ });
    },
  };
}

async function more(page: Page, action: string): Promise<void> {
  await page.locator('.page-actions .row-menu').click();
  await page.getByRole('menuitem', { name: action, exact: true }).click();
}

/** Approves what is shown. */
async function approve(page: Page, comment: string): Promise<void> {
  await page.getByRole('button', { name: 'Approve', exact: true }).click();
  const dialog = page.locator('.dialog');
  await dialog.getByLabel('Comment').fill(comment);
  await dialog.getByRole('button', { name: 'Approve' }).click();
  await toast(page, 'Approved');
  await dialog.waitFor({ state: 'detached' });
}

/** Makes the next edit of a page set times that are only this many seconds away: the page itself offers whole minutes. */
async function hastenTimes(page: Page, applySeconds: number, revertSeconds: number): Promise<void> {
  await page.route(/\/proposals\/prop_\w+$/, async (route) => {
    if (route.request().method() !== 'PATCH') return route.continue();
    const soon = (seconds: number) => new Date(Date.now() + seconds * 1_000).toISOString();
    const body = { ...route.request().postDataJSON(), applyAt: soon(applySeconds), revertAt: soon(revertSeconds) };
    return route.continue({ postData: JSON.stringify(body) });
  });
}

const timeFields = {
  apply: ['Apply on', 'Time to apply'],
  revert: ['Change back on', 'Time to change back'],
} as const;

async function setTime(page: Page, which: keyof typeof timeFields, day: string, clock: string): Promise<void> {
  const [dayField, clockField] = timeFields[which];
  await page.getByLabel(dayField).fill(day);
  await page.getByLabel(clockField).fill(clock);
}

const expectFocus = (page: Page, label: string) => page.locator(':focus').and(page.getByLabel(label)).waitFor();

/** A date in the words of the console. */
const dateOf = (day: Date): string =>
  day.toLocaleDateString('en-US', { day: 'numeric', month: 'short', timeZone: 'UTC', year: 'numeric' });
const isoOf = (day: Date): string => day.toISOString().slice(0, 10);
const daysAfter = (day: Date, days: number): Date => new Date(day.getTime() + days * 86_400_000);

/** The next last Sunday of a month: in Europe, the clocks change in March and October. */
function nextLastSunday(month: number): Date {
  for (let year = new Date().getUTCFullYear(); ; year++) {
    const last = new Date(Date.UTC(year, month, 0));
    const sunday = daysAfter(last, -last.getUTCDay());
    if (sunday > daysAfter(new Date(), 1)) return sunday;
  }
}

it('a release by two people: proposed, commented, edited, approved again, scheduled, applied, reverted, and undone', async () => {
  const { at, read, joined } = await openStudio('glass');
  const [ada, mara] = [await joined('owner', 'ada@example.com'), await joined('editor', 'mara@example.com')];

  // Ada requires one approval in production.
  await ada.goto(`${at}/settings`);
  const approvals = ada.locator('.card', { has: ada.getByRole('heading', { name: 'Approvals' }) });
  await approvals.getByLabel('Production').selectOption('1 approval');
  await ada.getByRole('button', { name: 'Save', exact: true }).click();
  await toast(ada, 'Saved: Approvals');

  // Mara's change becomes a proposal.
  await mara.goto(`${at}/production/state`);
  await mara.getByText('Changes to Production need the approval of another person.').waitFor();
  await typeDocument(mara, JSON.stringify(game(20)));
  await mara.getByRole('button', { name: 'Review', exact: true }).click();
  await mara.getByLabel('Comment').fill('Double gold');
  await mara.getByRole('button', { name: 'Propose', exact: true }).click();
  await toast(mara, 'Proposed.');
  await mara.getByRole('heading', { name: 'Double gold' }).waitFor();
  await mara.getByText('somebody else must approve it').waitFor();
  expect(await mara.getByRole('button', { name: 'Apply now' }).isDisabled()).toBe(true);
  expect(await read()).toEqual(game(10));

  // Ada finds it above the configuration, and approves it with a comment, which Mara reads.
  await ada.goto(`${at}/production/state`);
  await ada.getByRole('link', { name: '1 open proposal' }).click();
  await ada.locator('.change-list li', { hasText: 'gold' }).getByText('20').waitFor();
  await approve(ada, 'Good for the weekend');
  await mara.reload();
  await mara.locator('.approvals', { hasText: 'ada' }).getByText('Good for the weekend').waitFor();

  // Mara edits it: the approval is lost.
  await more(mara, 'Edit');
  await mara.getByText('You are editing a proposal').waitFor();
  await typeDocument(mara, JSON.stringify(game(20, 8)));
  await mara.getByRole('button', { name: 'Review', exact: true }).click();
  await mara.getByText('Saving drops the approval it has.').waitFor();
  await mara.getByRole('button', { name: 'Save proposal' }).click();
  await toast(mara, 'It needs new approvals');
  await mara.getByText('1 approval missing').waitFor();
  await ada.reload();
  await ada.locator('.change-list li', { hasText: 'Party size' }).getByText('8').waitFor();
  await approve(ada, 'Larger parties too');

  // Mara sets its times, which takes another approval. The calendar shows them.
  await mara.reload();
  await mara.getByRole('button', { name: /^(Set|Change) times$/ }).click();
  const start = daysAfter(new Date(), 40);
  await expectFocus(mara, 'Apply on');
  await setTime(mara, 'apply', dateOf(start), '6 pm');
  await setTime(mara, 'revert', isoOf(daysAfter(start, 2)), '08:00');
  await mara.getByRole('button', { name: 'Save proposal' }).click();
  await toast(mara, 'It needs new approvals');
  await ada.goto(`${at}/calendar`);
  const day = start.toLocaleDateString('en-US', { dateStyle: 'full', timeZone: 'UTC' });
  await ada.getByRole('heading', { name: day }).waitFor();
  await ada
    .locator('.calendar-event', { hasText: '1 approval missing' })
    .getByRole('link', { name: 'Double gold' })
    .click();

  // The times come closer. It is approved once more, applied and reverted.
  await hastenTimes(mara, 60, 75);
  await mara.getByRole('button', { name: /^(Set|Change) times$/ }).click();
  await mara.getByRole('button', { name: 'Save proposal' }).click();
  await mara.locator('.dialog').waitFor({ state: 'detached' });
  await ada.reload();
  await approve(ada, 'Now');
  await expect.poll(() => read(3), { timeout: 240_000, interval: 500 }).toEqual(game(10));
  expect(await read(2)).toEqual(game(20, 8));
  // Mara's page shows it by itself.
  await mara.locator('.lead .badge', { hasText: 'Changed back' }).waitFor();
  await mara.getByRole('link', { name: 'Version 3' }).waitFor();

  // Another change is applied by hand. Undoing it is a proposal too.
  await ada.goto(`${at}/production/state`);
  await typeDocument(ada, JSON.stringify(game(30)));
  await ada.getByRole('button', { name: 'Review', exact: true }).click();
  await ada.getByLabel('Comment').fill('Triple gold');
  await ada.getByRole('button', { name: 'Propose', exact: true }).click();
  await ada.getByRole('heading', { name: 'Triple gold' }).waitFor();
  await mara.goto(ada.url());
  await approve(mara, '');
  await ada.reload();
  await ada.getByRole('button', { name: 'Apply now' }).click();
  await ada.locator('.dialog').getByRole('button', { name: 'Apply now' }).click();
  await ada.locator('.toast', { hasText: 'Applied as version 4' }).getByRole('button', { name: 'Undo' }).click();
  await toast(ada, 'Proposed to undo version 4');
  expect(await read()).toEqual(game(30));
  await mara.goto(`${at}/production/proposals`);
  await mara.getByRole('link', { name: 'Undid version 4' }).click();
  await approve(mara, 'Back to normal');
  await mara.getByRole('button', { name: 'Apply now' }).click();
  await mara.locator('.dialog').getByRole('button', { name: 'Apply now' }).click();
  await toast(mara, 'Applied as version 5');
  expect(await read()).toEqual(game(10));
  await Promise.all([ada, mara].map((page) => page.context().close()));
}, 600_000);

it('a viewer proposes, a conflict is resolved, and an owner applies without the approvals', async () => {
  const { at, path, developer, read, joined } = await openStudio('reef');
  const [owner, viewer] = [await joined('owner', 'olga@example.com'), await joined('viewer', 'vera@example.com')];
  await viewer.goto(`${at}/production/state`);
  await viewer.getByText('You can propose changes.').waitFor();
  await typeDocument(viewer, JSON.stringify(game(11, 5)));
  await viewer.getByRole('button', { name: 'Review', exact: true }).click();
  expect(await viewer.getByRole('radio', { name: 'Scheduled' }).count()).toBe(0);
  await viewer.getByRole('button', { name: 'Propose', exact: true }).click();
  await viewer.getByRole('heading', { name: 'Proposal without a comment' }).waitFor();
  await viewer.getByText('Your role does not allow you to approve or apply').waitFor();

  // Meanwhile, the same value gets another content.
  const state = `${path}/public-state/production`;
  await writeVersions(world.server, state, developer.bearer, [[game(12), 'Balance']]);
  const body = { requiredApprovals: { production: 1 } };
  await world.server.call('PATCH', path, { headers: developer.bearer, body });
  // The list says the same as the page, and counts as the line above the configuration does.
  const [list] = viewer.url().split(/\/[^/]+$/);
  await owner.goto(`${list}`.replace(/proposals$/, 'state'));
  await owner.getByRole('link', { name: '1 open proposal' }).waitFor();
  await owner.goto(`${list}`);
  await owner.locator('tbody tr .badge.bad', { hasText: 'Conflict' }).waitFor();
  await owner.locator('tbody tr', { hasText: 'Production' }).getByText('Needs a decision').waitFor();
  expect(await owner.locator('tbody tr').count()).toBe(1);
  await owner.goto(viewer.url());
  await owner.locator('.proposal-lead .badge.bad', { hasText: 'Conflict' }).waitFor();
  await owner.getByText('One value has changed since').waitFor();
  expect(await owner.locator('.proposal-change .conflict-side').allInnerTexts()).toEqual(
    [
      ['Before', 10],
      ['Now', 12],
      ['Proposed', 11],
    ].map((side) => expect.stringMatching(side.join('\\s+'))),
  );
  const approve = owner.getByRole('button', { name: 'Approve', exact: true });
  await owner.getByText('Choose which value to use.').waitFor();
  expect(await approve.count()).toBe(0);
  expect(await owner.getByRole('button', { name: 'Use the chosen value' }).isDisabled()).toBe(true);
  expect(await owner.locator('.page-actions').getByRole('button', { name: 'Set times' }).count()).toBe(0);
  await owner.getByRole('radio', { name: 'Now' }).check();
  await owner.getByRole('button', { name: 'Use 12' }).waitFor();
  await owner.getByRole('radio', { name: 'Proposed' }).check();
  await owner.getByRole('button', { name: 'Use 11' }).click();
  await toast(owner, 'Proposal saved');
  await owner.getByText('One value has changed since').waitFor({ state: 'detached' });
  await owner.locator('.change-list li', { hasText: 'gold' }).getByText('11').waitFor();

  await more(owner, 'Apply without approvals');
  await owner.getByText('Nobody else has checked this change.').waitFor();
  const apply = owner.locator('.dialog').getByRole('button', { name: 'Apply without approvals' });
  expect(await apply.isDisabled()).toBe(true);
  await owner.getByLabel('Why it cannot wait').fill('The event starts now');
  await apply.click();
  await toast(owner, 'Applied as version 3');
  expect(await read()).toEqual(game(11, 5));
  await owner.locator('.page-actions').getByRole('button', { name: 'Undo', exact: true }).click();
  await owner.getByRole('button', { name: 'Propose', exact: true }).click();
  await owner.getByRole('heading', { name: 'Undid version 3' }).waitFor();
  await more(owner, 'Withdraw');
  await owner.getByRole('button', { name: 'Withdraw' }).click();
  await toast(owner, 'Proposal withdrawn');
  await owner.getByText('What it changed was deleted').waitFor();
  await Promise.all([owner, viewer].map((page) => page.context().close()));
}, 240_000);

it('a time that does not exist, comes twice or is over is pointed out before it is scheduled', async () => {
  const { developer, path } = await openStudio('kelp');
  const page = await world.signedIn(developer, '/p/kelp/production/state', { timezoneId: 'Europe/Berlin' });
  await typeDocument(page, JSON.stringify(game(15)));
  await page.getByRole('button', { name: 'Review and save' }).click();
  await page.locator('.save-way').getByText('Scheduled').click();
  const schedule = page.getByRole('button', { name: 'Schedule', exact: true });
  await page.locator('.day-and-time', { hasText: 'Europe/Berlin' }).first().waitFor();
  await setTime(page, 'apply', isoOf(nextLastSunday(3)), '2:30 AM');
  await page.getByText('This time does not exist: the clocks go forward then.').waitFor();
  expect(await schedule.isDisabled()).toBe(true);
  await setTime(page, 'apply', '1/1/2020', '0:00');
  await page.getByText('This time is over.').waitFor();
  const backward = nextLastSunday(10);
  const [date, iso] = [dateOf(backward), isoOf(backward)];
  await setTime(page, 'apply', 'someday', '2:30');
  await page.getByText('This is not a date.').waitFor();
  await setTime(page, 'apply', iso, '2:99');
  await page.getByText('This is not a time.').waitFor();
  expect(await schedule.isDisabled()).toBe(true);
  await setTime(page, 'apply', iso, '2:30');
  await page.getByText(`The second, ${date}, 1:30 AM UTC`).click();
  await setTime(page, 'revert', iso, '2:15');
  await page.getByText('This must be after the change is applied.').waitFor();
  // The next day is chosen from the month, by keys.
  const choices = page.getByRole('button', { name: 'Choose a day' });
  await choices.last().press('Enter');
  await page.locator('.month [aria-pressed="true"]:focus').press('ArrowRight');
  await page.keyboard.press('Enter');
  await page.locator('.month').waitFor({ state: 'detached' });
  expect(await page.getByLabel('Change back on').inputValue()).toBe(dateOf(daysAfter(backward, 1)));
  await page.getByLabel('Time to change back').fill('12 am');
  await schedule.click();
  await toast(page, `Scheduled for ${date}, 2:30 AM`);
  await page.locator('.facts', { hasText: `${date}, 1:30 AM UTC` }).waitFor();
  await page.getByRole('heading', { name: 'Scheduled change' }).waitFor();
  const applies = new RegExp(`^Will be applied on ${date.split(',')[0]}(, \\d{4})?, 2:30 AM\\b`);
  await page.locator('.lead:has(.badge:text-is("Scheduled")) time', { hasText: applies }).waitFor();
  expect(await page.locator('.page-actions .primary').count()).toBe(0);
  const listed = await world.server.call('GET', `${path}/public-state/production/proposals`, { headers: developer.bearer });
  expect(listed.json).toMatchObject({
    items: [{ applyAt: `${iso}T01:30:00.000Z`, revertAt: `${iso}T23:00:00.000Z` }],
  });
  await page.context().close();
});

it('a list keeps what is still to be undone, and an applied proposal without a change does not offer itself', async () => {
  const { developer, path, at } = await openStudio('tern');
  const proposals = `${path}/public-state/production/proposals`;
  const post = async (address: string, body: object) => {
    const answer = await world.server.call('POST', address, { headers: developer.bearer, body });
    expect(answer.status, answer.text).toBeLessThan(300);
    return answer.json as { id: string };
  };
  const applied = async (value: number, comment: string, times: object) => {
    const ops = [{ op: 'replace', path: '/gold', value }];
    const { id } = await post(proposals, { baseVersion: 1, ops, comment, ...times });
    await post(`${proposals}/${id}/apply`, { revision: 1 });
    return id;
  };
  const same = await applied(10, 'As before', {});
  await applied(20, 'Until the weekend', { revertAt: daysAfter(new Date(), 2).toISOString() });

  const page = await world.signedIn(developer, '/p/tern/production/proposals?state=running');
  const row = page.locator('tbody tr', { hasText: 'Until the weekend' });
  expect(await row.locator('.badge').innerText()).toMatch(/^Applied until /);
  await row.getByText(/^.+\s–\s.+\sUTC$/).waitFor();
  expect(await page.locator('tbody tr').count()).toBe(1);
  // It is applied too, but no longer open.
  await page.goto(`${at}/production/proposals`);
  await page.getByText('No open proposals').waitFor();
  await page.goto(`${at}/production/proposals?state=applied`);
  await page.locator('tbody tr', { hasText: 'As before' }).waitFor();
  await row.getByText(/^.+\s–\s.+\sUTC$/).waitFor();
  expect(await page.locator('tbody tr').count()).toBe(2);
  await page.locator('.segments label', { hasText: 'All 2' }).waitFor();
  await page.locator('.segments label', { hasText: 'Staging 0' }).click();
  await page.getByText('No applied proposals in Staging').waitFor();
  await page.goto(`${at}/production/proposals?state=withdrawn&env=production`);
  await page.getByText('No withdrawn proposals in Production').waitFor();
  await page.getByRole('link', { name: 'Show open proposals' }).click();
  await page.getByText('No open proposals in Production').waitFor();

  await page.goto(`${at}/production/proposals/${same}`);
  await page.getByText('This proposal contains no change.').waitFor();
  expect(await page.getByText('Applying changes nothing').count()).toBe(0);
  await page.context().close();
});
