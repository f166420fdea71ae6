import type { World } from './world.js';

const STEPS: readonly (readonly [
  id: string,
  title: string,
  member: string,
  state: 'done' | 'in-progress' | 'failed' | 'open',
  seconds: number,
])[] = [
  ['type-check', 'Check the types', 'Trinity', 'done', 14],
  ['lint', 'Run the linter', 'Trinity', 'done', 6],
  ['unit-tests', 'Run the unit tests', 'Trinity', 'in-progress', 131],
  ['secrets', 'Look for leaked secrets', 'Neo', 'done', 3],
  ['dependencies', 'List the dependencies and their licences', 'Tank', 'done', 9],
  ['links', 'Follow the links in the documentation', 'Oracle', 'failed', 22],
  ['missing-files', 'Find files the documentation names and nobody has', 'Oracle', 'in-progress', 48],
  ['hot-spots', 'Find the hot spots: churn by size', 'Morpheus', 'done', 5],
  ['todo-census', 'Count the TODOs', 'Switch', 'in-progress', 7],
  ['ci-presence', 'See whether CI and docs are there', 'Tank', 'open', 0],
  ['large-files', 'Find large and binary files', 'Apoc', 'open', 0],
  ['licences', 'Check the licence of the project', 'Neo', 'open', 0],
];

/** A running review: scan, twelve parallel steps, two digests, a report and a gate. */
export async function sampleReview(own: World, now = own.clock.now()): Promise<void> {
  const ago = (seconds: number) => new Date(now - seconds * 1_000).toISOString();
  const finished = { status: 'done', started_at: ago(200), completed_at: ago(185), fence: 1 };
  await own.add('scan', { title: 'Scan the repository', member: 'Morpheus', ...finished });
  await own.add('plan', {
    title: 'Choose the steps',
    member: 'Morpheus',
    after: ['scan'],
    ...finished,
    started_at: ago(184),
    completed_at: ago(180),
  });
  for (const [id, title, member, state, seconds] of STEPS) {
    own.pass(10);
    const times =
      state === 'open'
        ? {}
        : {
            started_at: ago(state === 'in-progress' ? seconds : 170),
            ...(state === 'in-progress' ? {} : { completed_at: ago(170 - seconds) }),
          };
    if (state === 'in-progress') own.atWork.add(`run-${id}`);
    await own.add(id, {
      title,
      member,
      after: id === 'licences' ? ['plan', 'dependencies'] : ['plan'],
      status: state,
      ...times,
      ...(state === 'in-progress' ? { assigned: `run-${id}`, fence: 1 } : {}),
      ...(state === 'failed' ? { failure_reason: 'exit code 1: 3 links lead nowhere', fence: 1 } : {}),
      exec: `npm run --silent ${id}`,
    });
  }
  own.pass(10);
  const checks = ['type-check', 'lint', 'unit-tests', 'secrets', 'dependencies', 'licences'];
  const readings = ['links', 'missing-files', 'hot-spots', 'todo-census', 'ci-presence', 'large-files'];
  await own.add('digest-checks', { title: 'Sum up the checks', member: 'Trinity', after: checks });
  await own.add('digest-reading', { title: 'Sum up what was read', member: 'Oracle', after: readings });
  await own.add('report', {
    title: 'Write the report',
    member: 'Morpheus',
    after: ['digest-checks', 'digest-reading', 'scan'],
  });
  await own.add('charts', { title: 'Draw the charts', member: 'Switch', after: ['digest-checks', 'hot-spots'] });
  await own.add('gate', {
    title: 'Accept the report',
    member: 'Morpheus',
    after: ['report', 'charts'],
    after_success: ['report'],
  });
  await own.add('wording', {
    title: 'Review the wording of the charters',
    member: 'Oracle',
    status: 'pending-validation',
    started_at: ago(600),
    completed_at: ago(240),
  });
  own.outputs.set('run-unit-tests', UNIT_TEST_OUTPUT);
}

const UNIT_TEST_OUTPUT = `\u001b[1m RUN \u001b[22m v4.1.12 /work/demo

 \u001b[32m✓\u001b[39m test/kernel/text.test.ts (12 tests) 18ms
 \u001b[32m✓\u001b[39m test/kernel/duration.test.ts (6 tests) 4ms
 \u001b[32m✓\u001b[39m test/core/graph/ready.test.ts (31 tests) 44ms
 \u001b[32m✓\u001b[39m test/core/graph/moves.test.ts (27 tests) 39ms
 \u001b[33m❯\u001b[39m test/adapters/store/files.test.ts 8/24
`;
