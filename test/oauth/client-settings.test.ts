import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Project } from '../support/server.ts';
import { openWorld, type World } from './world.ts';

const settings = {
  enabled: true,
  redirectUris: ['https://game.example/signed-in'],
  allowedIdps: ['oidc.studio'],
  logoData: Buffer.from('ffd8ffe00004abcdffda0004abcd0102ffd9', 'hex').toString('base64'),
  logoMediaType: 'image/jpeg',
  primaryColor: '#012345',
  surfaceColor: '#abcdef',
  bgColor: null,
  userStateHistory: { versions: 20, days: 30 },
  sessionIdleDays: null,
};

let world: World;
let project: Project;
beforeAll(async () => {
  world = await openWorld();
  project = await world.server.newProject();
});
afterAll(() => world.stop());

const call = (method: string, body?: unknown) =>
  world.server.call(method, `${project.path}/auth/end-user/config`, {
    headers: project.developer.bearer,
    ...(body !== undefined && { body }),
  });

describe('the sign-in settings of a project', () => {
  it('are off by default', async () => {
    const answer = await call('GET');
    expect(answer.status).toBe(200);
    expect(answer.json).toEqual({
      enabled: false,
      redirectUris: [],
      allowedIdps: [],
      logoData: null,
      logoMediaType: null,
      primaryColor: null,
      surfaceColor: null,
      bgColor: null,
      userStateHistory: { versions: 20, days: 30 },
      sessionIdleDays: null,
    });
  });

  it('are stored as sent, without unknown members', async () => {
    const written = await call('PUT', { ...settings, colour: 'red' });
    expect(written.status).toBe(200);
    expect(written.json).toEqual(settings);
    expect((await call('GET')).json).toEqual(settings);
  });

  it.each([
    { ...settings, redirectUris: ['http://game.example/'] },
    { ...settings, redirectUris: ['https://game.example/#x'] },
    { ...settings, allowedIdps: ['oidc.*'] },
    { ...settings, logoMediaType: 'image/png' },
    { ...settings, enabled: undefined },
  ])('are refused if they break a rule, and stay unchanged (%#)', async (body) => {
    const answer = await call('PUT', body);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: 'validation_error' });
    expect((await call('GET')).json).toEqual(settings);
  });

  it('have no words of the project in mails, since the operator does not allow them', async () => {
    const answer = await call('PATCH', { mailWords: { greeting: 'Ahoy!' } });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: 'validation_error', message: expect.stringContaining('SVC_MAIL_TEXTS') });
    expect((await call('GET')).json).toEqual(settings);
  });

  it('belong to one project', async () => {
    const other = await world.server.newProject(project.developer);
    const path = `${other.path}/auth/end-user/config`;
    const answer = await world.server.call('GET', path, { headers: project.developer.bearer });
    expect(answer.json).toMatchObject({ enabled: false });
  });
});
