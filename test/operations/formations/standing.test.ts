import path from 'node:path';
import { expect, test } from 'vitest';
import type { FormationRecord } from '#core/playbooks/record.js';
import { standingOf } from '#operations/formations/standing.js';
import { graphOf, NOW, type TaskFields } from '../../core/graph/graph.js';
import { RUN, recordOf } from '../../core/playbooks/records.js';

const task = (step: string, more: TaskFields = {}) => ({ id: `${RUN}-${step}`, title: `To ${step}`, ...more });
const seats = [
  { name: 'architect', charter: 'Plans.', tier: 'opus' },
  { name: 'painter', phase: 'dev', core: 'dev', minted: true },
  { name: 'qa' },
];
const defaults = ['architect', 'dev', 'qa', 'deployer'];
const usage = (cost_usd: number, input_tokens: number, output_tokens: number) =>
  ({ token_usage: { cost_usd, input_tokens, output_tokens } }) as TaskFields;
/** A crew in the middle of its work: each of its steps stands otherwise. */
const STEPS = [
  task('architect', {
    ...{ status: 'done', fence: 2, tags: [`formation:${RUN}`, 'lane:crew', 'phase:architect', 'seat:architect'] },
    ...{ started_at: '2026-03-21T10:00:00.000Z', completed_at: '2026-03-21T10:05:00.000Z' },
    ...usage(0.5, 100, 20),
  }),
  task('dev', {
    ...{
      status: 'failed',
      fence: 1,
      failure_reason: 'The build broke.',
      tags: ['phase:dev'],
      after: [`${RUN}-architect`],
    },
    ...usage(0.25, 10, 5),
  }),
  task('look', {
    status: 'in-progress',
    assigned: 'agent-2',
    exec_mode: 'shell',
    started_at: '2026-03-21T10:06:00.000Z',
  }),
  task('ready', {}),
  task('paused', { paused: true }),
  task('waits', { after: [`${RUN}-look`] }),
  task('person', { human: true, after: [`${RUN}-architect`] } as TaskFields),
];
const tasksOf = (steps: readonly { readonly id: string }[]) => steps.map(({ id }) => id);

test('how a run stands, in each state and of each formation', async () => {
  const standing = (title: string, record: Partial<FormationRecord>, steps = STEPS, cost?: object) =>
    `# ${title}\n${JSON.stringify(
      standingOf(
        graphOf(...steps),
        recordOf({ seats, defaults, tasks: tasksOf(steps), ...record }),
        NOW,
        cost as Parameters<typeof standingOf>[3],
      ),
      undefined,
      1,
    )}`;
  const folder = (formation: string) =>
    standingOf(graphOf(), recordOf({ formation: formation as 'panel' }), NOW).folder;
  const handing = (formation: 'panel' | 'sweep') => [
    task('one', {
      deliverables: [`${folder(formation)}/one.md`, 'elsewhere/x.md'],
      artifacts: [`${folder(formation)}/one.md`, `${folder(formation)}/more.md`],
    }),
    task('two', { deliverables: [`${folder(formation)}/two.md`] }),
  ];
  const page = [
    standing('nothing was spent and nothing is there', { seats: [], defaults: [] }, []),
    standing('a crew that was proposed', { state: 'proposed' }, STEPS.slice(3, 5), { usd: 1.5, tokens: 7_000 }),
    standing('one that costs more than it may', { state: 'proposed' }, [], { usd: 9, tokens: 1, over: '9 of 5 USD' }),
    standing('a crew under way', {
      handoffs: { 'CONTRACT.md': 'c0', 'CHANGES.md': '' },
      stumbles: { dev: { rungs: ['clarify', 'user'], passed: [] }, architect: { rungs: [], passed: [] } },
      notes: ['steering: on'],
    }),
    standing('a panel of a chain that a failed seat holds up', { formation: 'panel', options: { stages: 'crew' } }, [
      task('one', { status: 'failed', failure_reason: 'No words.' }),
      task('next', { after: [`${RUN}-one`], after_success: [`${RUN}-one`] }),
    ]),
    standing('a crew that has ended', { state: 'ended', outcome: 'shipped' }, STEPS.slice(0, 1)),
    standing('a panel', { formation: 'panel', seats: [{ name: 'one' }] }, handing('panel')),
    standing('a sweep', { formation: 'sweep', seats: [] }, handing('sweep')),
  ];
  await expect(`${page.join('\n').replaceAll(RUN, 'RUN')}\n`).toMatchFileSnapshot(
    path.join(import.meta.dirname, 'golden/standing.txt'),
  );
});
