import { expect, test } from 'vitest';
import type { EscalationWords } from '#core/mail/gates.js';
import { TroupeError } from '#kernel/errors.js';
import { inspect } from '#operations/review/inspect.js';
import { checkTeamVerdict } from '#operations/review/team-verdict.js';
import { contextOf } from '../../context-of.js';
import { graphOf, type TaskFields, task } from '../../core/graph/graph.js';
import { project } from '../../core/mail/tree.js';
import { CREW, TEAM_ID } from '../../core/teams/crew.js';
import { world } from '../../e2e/world.js';
import { NO_TREE } from '../../no-teams.js';

const PLAN = {
  commands: [{ id: 'test', text: 'npm test' }],
  steps: [
    { node: 'prepare', title: 'Prepare', member: 'Ada' },
    { node: 'command-test', title: 'Run the tests', member: 'Ben' },
  ],
};

function stage(commands: object[] = PLAN.commands) {
  const own = world();
  const [written, asked]: [unknown[], unknown[]] = [[], []];
  const finding = { severity: 'high', rule: 'r', remedy: 'm', file: 'a.ts' };
  const inspector = {
    folder: {
      latest: async () => 'review',
      readPlan: async () => ({ ...PLAN, commands }),
      path: (review: string, file: string) => `/reports/${review}/${file}`,
      writeEvidence: async (...words: unknown[]) => void written.push(words),
    },
    inspect: async ({ plan: _, ...question }: { plan: unknown }) => {
      asked.push(question);
      own.pass(1_500);
      return { command: 'npm test', exit_code: 1, output: 'red', findings: [finding], facts: { a: 1 } };
    },
  };
  return { context: { ...own.context, inspector: async () => inspector as never }, written, asked, finding };
}

test('a step of a review says what was looked at, for how long, and what was found, and writes it down', async () => {
  const { context, written, asked, finding } = stage();
  const answer = await inspect.run(context, { name: 'command', command: 'test' });
  expect(answer).toEqual({
    ...{ review: 'review', node: 'command-test', title: 'Run the tests', command: 'npm test', exit_code: 1 },
    ...{ duration_ms: 1_500, counts: expect.objectContaining({ high: 1 }), output_excerpt: 'red' },
    evidence: '/reports/review/evidence/command-test.json',
  });
  expect(asked).toEqual([{ name: 'command', command: PLAN.commands[0] }]);
  const evidence = {
    ...{ node: 'command-test', title: 'Run the tests', member: 'Ben', command: 'npm test', exit_code: 1 },
    ...{ duration_ms: 1_500, started_at: '2026-03-01T10:00:00.000Z', output_excerpt: 'red', findings: [finding] },
    facts: { a: 1 },
  };
  expect(written).toEqual([['review', evidence]]);
  await inspect.run(context, { name: 'prepare', review: 'other' });
  expect(asked[1]).toEqual({ name: 'prepare' });
  expect(written[1]).toMatchObject(['other', { node: 'prepare', title: 'Prepare', member: 'Ada' }]);
  expect(await inspect.run(context, { name: 'todos' })).toMatchObject({ node: 'todos', title: 'todos' });
  expect(written[2]).toMatchObject(['review', { member: 'you' }]);
});

test('a command that a review does not have is refused with those it has', async () => {
  const of = async (commands?: object[]) =>
    await inspect
      .run(stage(commands).context, { name: 'command', command: 'lint' })
      .catch(({ code, hint }: TroupeError) => [code, hint]);
  expect(await of()).toEqual(['unknown_command', 'Name one of: test.']);
  expect(await of([])).toEqual(['unknown_command', new TroupeError('unknown_command').hint]);
});

test('a verdict on work of a team is given by who may, and by a run only where the project leaves it to one', async () => {
  const work = { id: 'seal', team: TEAM_ID, member: 'hicks', verify: 'x', status: 'pending-validation' as const };
  const check = async (fields: TaskFields, by: object, escalation: EscalationWords = {}, team: unknown = CREW) => {
    const review = {
      id: 'review',
      team: TEAM_ID,
      member: 'ripley',
      assigned: 'agent-1',
      fence: 1,
      reviews: { task: 'seal', fence: 0 },
    };
    const view = graphOf({ ...work, review_task: 'review', ...fields }, review);
    const context = contextOf({
      teams: async () => ({ getTeam: async () => team }) as never,
      rosterConfig: async () => ({ ...NO_TREE, project: async () => project('P', { escalation }) }),
      projectFolder: '/p',
    });
    return await checkTeamVerdict(context, view, view.task('seal') ?? task({}), by as never).then(
      () => 'may',
      ({ code }: TroupeError) => code,
    );
  };
  const [person, run] = [{ name: 'ann' }, { name: 'agent-1', fence: 1, taskId: 'review' }];
  expect([await check({}, person), await check({}, run), await check({}, run, { review: 'never' })]).toEqual(
    Array(3).fill('may'),
  );
  expect([await check({}, run, { review: 'always' }), await check({}, person, { review: 'always' })]).toEqual([
    'forbidden',
    'may',
  ]);
  expect(await check({ plan_of: 'x' }, run, { plan: 'always' })).toBe('forbidden');
  expect([await check({}, { name: 'hicks' }), await check({}, person, {}, null)]).toEqual(['forbidden', 'not_found']);
  expect(await check({ team: undefined, verify: undefined } as never, { name: 'hicks' }, {}, null)).toBe('may');
});
