import { describe, expect, it } from 'vitest';
import { instantsOf, wallTime } from './local-time.ts';

const utc = (wall: string, zone: string) => instantsOf(wall, zone)?.map((instant) => new Date(instant).toISOString());

describe('a time on the clock', () => {
  it.each([
    ['2026-11-28T18:00', 'Europe/Berlin', ['2026-11-28T17:00:00.000Z']],
    ['2026-07-01T09:15', 'America/New_York', ['2026-07-01T13:15:00.000Z']],
    ['2027-01-01T00:00', 'Asia/Kathmandu', ['2026-12-31T18:15:00.000Z']],
    ['2026-11-28T18:00', 'UTC', ['2026-11-28T18:00:00.000Z']],
  ])('%s in %s is one instant', (wall, zone, expected) => expect(utc(wall, zone)).toEqual(expected));

  it.each([
    ['2027-03-28T02:30', 'Europe/Berlin'],
    ['2027-03-14T02:00', 'America/New_York'],
    ['2026-10-04T02:15', 'Australia/Lord_Howe'],
  ])('%s in %s does not exist', (wall, zone) => expect(utc(wall, zone)).toEqual([]));

  it.each([
    ['2026-10-25T02:30', 'Europe/Berlin', ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z']],
    ['2027-11-07T01:00', 'America/New_York', ['2027-11-07T05:00:00.000Z', '2027-11-07T06:00:00.000Z']],
    ['2027-04-04T01:45', 'Australia/Lord_Howe', ['2027-04-03T14:45:00.000Z', '2027-04-03T15:15:00.000Z']],
  ])('%s in %s comes twice', (wall, zone, expected) => expect(utc(wall, zone)).toEqual(expected));

  it('the hours beside a change exist once', () => {
    expect(utc('2027-03-28T01:59', 'Europe/Berlin')).toEqual(['2027-03-28T00:59:00.000Z']);
    expect(utc('2027-03-28T03:00', 'Europe/Berlin')).toEqual(['2027-03-28T01:00:00.000Z']);
    expect(utc('2026-10-25T03:00', 'Europe/Berlin')).toEqual(['2026-10-25T02:00:00.000Z']);
  });

  it('is read back from its instant', () => {
    for (const zone of ['Europe/Berlin', 'America/St_Johns', 'Pacific/Apia']) {
      const wall = wallTime(Date.parse('2026-11-28T17:00:00.000Z'), zone);
      expect(utc(wall, zone)).toEqual(['2026-11-28T17:00:00.000Z']);
    }
  });

  it.each(['', 'soon', '2026-13-01T00:00'])('%o is none', (wall) => expect(utc(wall, 'UTC')).toBeUndefined());
});
