import { expect, test } from 'vitest';
import { settingsFrom } from '#core/settings/settings.js';
import { answeredValue, setupChanges, setupProposals } from '#core/settings/setup.js';

const rowsOf = (file: object) => settingsFrom(file).rows;

test('what is proposed holds now; of the clients one that is here, and for a day an amount', () => {
  const fresh = rowsOf({});
  expect(setupProposals(fresh, ['codex', 'pi'])).toEqual({
    ...{ executor: 'codex', max_agents: '4', usd_per_day: '5', land: 'manual' },
  });
  expect(setupProposals(fresh, ['codex', 'claude'])).toMatchObject({ executor: 'claude' });
  expect(setupProposals(fresh, [])).not.toHaveProperty('executor');
  const present = rowsOf({
    coordinator: { executor: 'pi', max_agents: 2, land: 'when-clean' },
    budget: { usd_per_day: 0.5 },
  });
  expect(setupProposals(present, ['claude', 'pi'])).toEqual({
    ...{ executor: 'pi', max_agents: '2', usd_per_day: '0.5', land: 'when-clean' },
  });
});

test('what is written is what the file does not say already, and only that', () => {
  const answers = { executor: 'claude', max_agents: '4', usd_per_day: '5', land: 'manual' };
  expect(setupChanges(rowsOf({}), answers)).toEqual([
    { key: 'coordinator.executor', before: 'claude', value: 'claude' },
    { key: 'coordinator.max_agents', before: 4, value: 4 },
    { key: 'budget.usd_per_day', value: 5 },
    { key: 'coordinator.land', before: 'manual', value: 'manual' },
  ]);
  const file = { coordinator: { executor: 'claude', max_agents: 4, land: 'manual' }, budget: { usd_per_day: 5 } };
  expect(setupChanges(rowsOf(file), answers)).toEqual([]);
  expect(setupChanges(rowsOf(file), { ...answers, max_agents: '2', usd_per_day: 'none' })).toEqual([
    { key: 'coordinator.max_agents', before: 4, value: 2 },
    { key: 'budget.usd_per_day', before: 5 },
  ]);
});

test('an answer that its setting cannot have is refused, with the name of the setting', () => {
  for (const [field, typed] of [
    ['max_agents', '0'],
    ['max_agents', 'none'],
    ['usd_per_day', '-1'],
    ['usd_per_day', 'much'],
    ['land', 'never'],
    ['executor', '../evil'],
  ] as const)
    expect(() => answeredValue(field, typed), `${field} ${typed}`).toThrow(/coordinator|budget/);
});
