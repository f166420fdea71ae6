import { expect, test } from 'vitest';
import {
  editCommand,
  groupsOf,
  linesOf,
  movedSeat,
  type Run,
  type RunRow,
  relayOf,
  type Step,
  spanOf,
  stateOf,
} from '../../web/app/pages/runs/runs.js';

const step = (name: string, more: Partial<Step> = {}): Step => ({
  ...{ id: `r-${name}`, step: name, title: name, status: 'open', state: 'open', paused: false, who: 'role' },
  ...{ attempts: 0, usd: 0, tokens: 0 },
  ...more,
});
const seat = (name: string, phase?: string) => ({
  ...{ name, charter: '', minted: false },
  ...(phase === undefined ? {} : { phase }),
});
const run = (more: Partial<Run>): Run => ({
  ...{ run: 'r', formation: 'crew', goal: 'g', state: 'running', at: '2026-03-01T10:00:00Z', options: {}, folder: 'f' },
  ...{ seats: [], losses: [], steps: [], pending: [], spent: { usd: 0, tokens: 0 }, files: [], notes: [] },
  ...more,
});

test('the steps of a run stand in its legs: phases with what persons do around them, rounds, passes', () => {
  const legs = (one: Run) => relayOf(one).map(({ title, steps }) => [title, ...steps.map((each) => each.step)]);
  expect(
    legs(
      run({
        seats: [seat('architect', 'architect'), seat('csv-expert', 'dev')],
        steps: [
          ...[step('brief-architect'), step('architect', { phase: 'architect' }), step('check-architect')],
          ...[step('dev', { phase: 'dev' }), step('go'), step('release'), step('decide-dev-2')],
        ],
      }),
    ),
  ).toEqual([
    ['architect', 'brief-architect', 'architect', 'check-architect'],
    ['dev', 'dev', 'decide-dev-2'],
    ['release', 'go', 'release'],
  ]);
  expect(
    legs(
      run({
        formation: 'panel',
        seats: [seat('operator'), seat('skeptic')],
        steps: ['operator', 'skeptic', 'round-2-operator', 'unanimity', 'steelman', 'decision', 'log', 'next'].map(
          (name) => step(name),
        ),
      }),
    ).map(([title]) => title),
  ).toEqual(['Round 1', 'Round 2', 'Unanimity check', 'Decision', 'Log']);
  expect(
    legs(
      run({
        formation: 'sweep',
        seats: [seat('one')],
        steps: ['one', 'merge', 'again-one', 'merge-again', 'synthesis', 'verify', 'settle', 'verify-one', 'log'].map(
          (name) => step(name),
        ),
      }),
    ),
  ).toEqual([
    ['Scouts', 'one'],
    ['Merge', 'merge'],
    ['Second pass', 'again-one', 'merge-again'],
    ['Synthesis', 'synthesis'],
    ['Check', 'verify', 'settle', 'verify-one'],
    ['Report', 'log'],
  ]);
});

test('a leg has its files and what its gate said, and is in the state that needs somebody most', () => {
  const [dev] = relayOf(
    run({
      seats: [seat('dev', 'dev')],
      steps: [step('dev', { phase: 'dev', state: 'done' }), step('check-dev', { state: 'ready' })],
      files: [{ file: 'CHANGES.md', phase: 'dev', state: 'handed-over' }],
      notes: ['gate-events: dev did not pass', 'gate-events: qa passed', 'escalation: re-tier dev in dev → opus: why'],
    }),
  );
  expect(dev?.files.map(({ file }) => file)).toEqual(['CHANGES.md']);
  expect(dev?.gates).toEqual(['dev did not pass']);
  expect(stateOf(dev ?? { steps: [] })).toBe('ready');
  expect(linesOf(['escalation: a: b', 'steering: c'], 'escalation')).toEqual(['a: b']);
});

test('runs stand by who has to act; time runs until the last end', () => {
  const line = (more: Partial<RunRow>): RunRow => ({
    ...{ run: 'r', playbook: 'bug-fix', kind: 'workflow', state: 'running', outcome: 'running', at: '', done: 0 },
    ...{ total: 1, spent: { usd: 0, tokens: 0 }, pending: [] },
    ...more,
  });
  const waiting = line({ run: 'w', pending: [{ kind: 'go', command: 'troupe playbook go w' }] });
  const over = run({
    run: 'o',
    state: 'ended',
    steps: [
      step('dev', { state: 'done', started_at: '2026-03-01T10:00:00Z', completed_at: '2026-03-01T10:05:00Z' }),
      step('qa', { state: 'abandoned' }),
    ],
  });
  expect(
    groupsOf([line({ run: 'o', state: 'ended' }), line({}), waiting]).map(({ title, runs }) => [
      title,
      runs.map((one) => one.run),
    ]),
  ).toEqual([
    ['Waits for you', ['w']],
    ['Running', ['r']],
    ['Ended', ['o']],
  ]);
  expect(spanOf(over)).toEqual({ from: '2026-03-01T10:00:00Z', to: '2026-03-01T10:05:00Z' });
  expect(spanOf(run({}))).toBe(undefined);
});

test('a change of a line-up is the words of the command that does the same', () => {
  expect(movedSeat(['a', 'b', 'c'], 1, -1)).toEqual(['b', 'a', 'c']);
  expect(movedSeat(['a', 'b', 'c'], 2, 1)).toEqual(['a', 'b', 'c']);
  const quoted = (text: string) => `'${text}'`;
  expect(editCommand('r', { drop: ['qa'], tier: ['dev=opus'] }, quoted)).toBe(
    "troupe playbook edit 'r' --drop 'qa' --tier 'dev=opus'",
  );
  expect(editCommand('r', undefined, quoted)).toBe("troupe playbook edit 'r' --add NAME --drop NAME");
});
