import { expect, test } from 'vitest';
import { ARTIFACT_STATES, checkedArtifact, contentTypeOf, newArtifact, stateAfter } from '#core/teams/artifacts.js';
import { takerOf, takeWork } from '#core/teams/free-work.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { WORK_LIMITS } from '#kernel/limits/work.js';
import { ann, codeOf, graphOf, NOW } from '../graph/graph.js';
import { CREW, crewMember, crewWith, TEAM_ID } from './crew.js';

const member = (name: string) => CREW.members.find((one) => one.name === name) ?? crewMember(name);

test('work of a team is taken once, by a member, while it is open', () => {
  const work = { team: TEAM_ID, verify: 'x' };
  const graph = graphOf(
    { id: 'free', ...work, log: [{ timestamp: '', message: 'x' }] },
    { id: 'hers', ...work, member: 'vasquez' },
    { id: 'done', ...work, status: 'done' },
    { id: 'other', ...work, team: 'x' },
    { id: 'none', team: TEAM_ID },
  );
  const take = (id: string, name = 'Hicks', team = CREW) =>
    takeWork(graph, team, id, member(name), { now: NOW, by: ann });
  const plan = take('free');
  expect(plan).toMatchObject({
    result: { id: 'free', status: 'open', changed: true },
    events: [{ op: 'take', task_id: 'free', actor: 'ann' }],
  });
  expect(plan.events[0]?.patch).toMatchObject([
    { id: 'free', set: { member: 'hicks' }, log_at: 1, log: [{ actor: 'ann', message: 'Hicks takes it' }] },
  ]);
  expect(take('hers', 'Vasquez')).toEqual({
    events: [],
    result: { id: 'hers', status: 'open', changed: false, warnings: [] },
  });
  const codes = [
    take.bind(0, 'hers'),
    take.bind(0, 'done'),
    take.bind(0, 'other'),
    take.bind(0, 'none'),
    take.bind(0, 'free', 'Newt'),
  ];
  expect(codes.map(codeOf)).toEqual(['not_assignee', 'wrong_status', 'bad_input', 'bad_input', 'forbidden']);
  expect(codeOf(() => take('free', 'Hicks', { ...CREW, status: 'disbanded' }))).not.toBe('none');
});

test('free work goes to the member with least of it, in the order of the seats; to a leader where nobody else can', () => {
  const taker = (loads: Record<string, number>, team = CREW) => takerOf(team, new Map(Object.entries(loads)))?.name;
  expect([taker({}), taker({ hicks: 1 }), taker({ hicks: 1, vasquez: 1 }), taker({ hicks: 2, vasquez: 1 })]).toEqual([
    ...['Hicks', 'Vasquez', 'Hicks', 'Vasquez'],
  ]);
  const away = { status: 'paused' } as const;
  expect(taker({}, crewWith({ Hicks: { person: 'Ann' } }))).toBe('Vasquez');
  expect(taker({}, crewWith({ Hicks: away, Vasquez: away }))).toBe('Ripley');
  expect(taker({}, crewWith({ Hicks: away, Vasquez: away, Ripley: away }))).toBeUndefined();
  expect(taker({}, crewWith({}, { status: 'archived' }))).toBeUndefined();
});

test('what a team made: its name, type and size, its state after each move, and that its bytes are the same', () => {
  const content = new TextEncoder().encode('Text');
  const wish = {
    id: 'a',
    teamId: TEAM_ID,
    taskId: 't',
    attempt: 1,
    name: ' N ',
    contentType: ' Text/Markdown ',
    state: 'staged',
    createdBy: 'x',
    createdAt: 1,
    content,
  } as const;
  const made = newArtifact(wish);
  expect([made.name, made.contentType, made.size]).toEqual(['N', 'text/markdown', 4]);
  const most = TEAM_LIMITS.deliverableBytes;
  const title = WORK_LIMITS.titleCharacters;
  const rows: [object, string][] = [
    [{ content: new Uint8Array(most) }, 'none'],
    [{ content: new Uint8Array(most + 1) }, 'artifact_too_large'],
    [{ name: 'x'.repeat(title) }, 'none'],
    [{ name: 'x'.repeat(title + 1) }, 'bad_input'],
    [{ name: ' ' }, 'bad_input'],
    [{ name: 'a\u0007' }, 'bad_input'],
    ...['text', 'text/', 'text/x; a=b', 'te xt/x'].map((contentType): [object, string] => [
      { contentType },
      'bad_input',
    ]),
  ];
  for (const [change, code] of rows)
    expect(
      codeOf(() => newArtifact({ ...wish, ...change })),
      JSON.stringify(change).slice(0, 50),
    ).toBe(code);
  expect(checkedArtifact(made)).toBe(made);
  expect(codeOf(() => checkedArtifact({ ...made, size: 5 }))).toBe('artifact_corrupt');
  expect(codeOf(() => checkedArtifact({ ...made, content: new TextEncoder().encode('Test') }))).toBe(
    'artifact_corrupt',
  );
  const after = (move: Parameters<typeof stateAfter>[1], id = 'a') =>
    ARTIFACT_STATES.map((state) => stateAfter({ ...made, id, state }, move));
  expect(after({ task: 'x', to: 'orphan' })).toEqual([undefined, undefined, undefined]);
  expect(after({ task: 't', to: 'orphan' })).toEqual(['orphan', undefined, undefined]);
  expect(after({ task: 't', to: 'current', artifact: 'a' })).toEqual(['current', 'current', 'current']);
  expect(after({ task: 't', to: 'current', artifact: 'a' }, 'b')).toEqual(['orphan', 'orphan', 'orphan']);
  expect(after({ task: 't', to: 'staged', artifact: 'a' }, 'b')).toEqual([undefined, undefined, undefined]);
  expect([undefined, 'A.MD', 'x.tar.json', 'x', 'x.exe'].map(contentTypeOf)).toEqual([
    ...['text/markdown', 'text/markdown', 'application/json', 'application/octet-stream', 'application/octet-stream'],
  ]);
});
