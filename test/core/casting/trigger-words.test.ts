import { expect } from 'vitest';
import { triggerFromWords } from '#core/casting/read-draft.js';
import { verifies } from '../../verifies.js';

verifies('blueprint.fallback', 'words of a schedule become a trigger; other words do not', () => {
  const daily = { type: 'schedule', every: 'daily' };
  const weekly = (day: string) => ({ type: 'schedule', every: `weekly:${day}` });
  const arrival = { type: 'event', event: 'task-added-to-ready' };
  for (const [words, trigger] of [
    ['Summarise the news every morning', daily],
    ['a DAILY digest', daily],
    ['nightly checks of the backups', daily],
    ['a report each week', weekly('mon')],
    ['weekly planning', weekly('mon')],
    ['every Wednesday we plan the\nmenu', weekly('wed')],
    ['send the bills on fridays', weekly('fri')],
    ['each Tuesday', weekly('tue')],
    ['weekly on Saturday', weekly('sat')],
    ['sort it for every new ticket', arrival],
    ['whenever a new request comes in, answer it', arrival],
    ['watch the servers around the clock', { type: 'heartbeat' }],
    ['everyday objects for Mondrian lovers', undefined],
    ['plan the wedding of a friend', undefined],
    ['weeklong trips', undefined],
    ['', undefined],
  ] as const)
    expect(triggerFromWords(words), words).toEqual(trigger);
});

verifies('blueprint.fallback', 'each day of the week is a day of the schedule', () => {
  const days = ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday'];
  expect(days.map((day) => triggerFromWords(`every ${day}`))).toEqual(
    days.map((day) => ({ type: 'schedule', every: `weekly:${day.slice(0, 3).toLowerCase()}` })),
  );
  expect(days.map((day) => triggerFromWords(`on ${day}s`))).toEqual(days.map((day) => triggerFromWords(`each ${day}`)));
});
