import path from 'node:path';
import { expect, test } from 'vitest';
import type { Task } from '#core/graph/task.js';
import { handoffRecordOf } from '#core/playbooks/crew-line.js';
import { crewEntry, crewOutcomes, cutSeats } from '#core/playbooks/crew-log.js';
import { seatTags } from '#core/playbooks/formation.js';
import { blockPhase, failPhase, passPhase, phaseOf, unrecordedPhases } from '#core/playbooks/hand-in.js';
import { blockedReport, filesAskedFor, parseHandoff } from '#core/playbooks/handoff-file.js';
import { barredAgents } from '#core/playbooks/independence.js';
import { newRowOf } from '#core/playbooks/line-up.js';
import { blockingStep, pendingOf } from '#core/playbooks/pending.js';
import { criteriaOf, criteriaStandings, passedCriteria } from '#core/playbooks/qa-verdicts.js';
import { type FormationRecord, recordEvent, stepId } from '#core/playbooks/record.js';
import { lessonOf, soloTags } from '#core/playbooks/role-place.js';
import { formationRun } from '#core/playbooks/runs.js';
import { seatFilesOf } from '#core/playbooks/seat-files.js';
import { HANDOFF_LIMITS } from '#kernel/limits/handoffs.js';
import { markdownLines } from '#kernel/markdown-lines.js';
import { commit, graphOf, NOW, type TaskFields } from '../graph/graph.js';
import { HOLDER, page, RUN, recordOf, told } from './records.js';

const GOLDEN = path.join(import.meta.dirname, 'golden');
const step = (name: string) => stepId(RUN, name);
const SEATS = [{ name: 'architect' }, { name: 'tess', phase: 'dev' }, { name: 'qa' }, { name: 'deployer' }];
const TASKS = ['architect', 'dev', 'qa', 'deployer'].map(step);

/** A graph of these tasks that remembers a run. */
function graph(record: FormationRecord, ...tasks: (TaskFields & { id: string })[]) {
  const view = graphOf(...tasks);
  commit(view, { events: [recordEvent(view, record, 'x', { actor: 'x' })], result: undefined });
  return view;
}
const phase = (name: string, more: TaskFields = {}): TaskFields & { id: string } => ({
  id: step(name),
  tags: seatTags('crew', RUN, name),
  ...more,
});

test('an attempt at a phase: passed, not passed, stuck', async () => {
  const report = { tried: 'a', why: 'b', needs: 'c', escalation: 'd', diagnosis: undefined, context: [] };
  const stumbles = { dev: { rungs: [], passed: [1] }, qa: { rungs: ['clarify' as const], passed: [] } };
  const record = recordOf({
    seats: SEATS,
    tasks: TASKS,
    stumbles,
    handoffs: { 'QA.md': 'old' },
    passed: { dev: 'then' },
    judged: { q: 'c' },
    kept: { k: 'v' },
    notes: ['a: b'],
  });
  const held = { status: 'in-progress', assigned: HOLDER.name, fence: 1, started_at: 'x' } as const;
  const lines: string[] = [];
  for (const name of ['architect', 'dev', 'qa', 'stranger']) {
    const view = graph(record, phase(name, held));
    const task = view.task(step(name)) as Task;
    const by = { now: NOW, by: { ...HOLDER, taskId: task.id }, detail: { exit: 0 } };
    lines.push(
      `# ${name} passes`,
      ...told({ events: passPhase(view, task, 'now', { handoffs: {} }) }),
      ...told({
        events: passPhase(view, task, 'now', {
          handoffs: { 'QA.md': 'new' },
          staged: 'npm publish',
          judged: { n: 'd' },
          lesson: ' Ask  first. ',
        }),
      }),
      `# ${name} does not pass`,
      ...told({ events: failPhase(view, task, { handoffs: {} }) }),
      ...told({ events: failPhase(view, task, { handoffs: {}, judged: { n: 'd' }, passed: 2 }) }),
      `# ${name} is stuck`,
      ...told(blockPhase(view, task, { handoffs: {}, report }, by)),
    );
  }
  await expect(page(lines)).toMatchFileSnapshot(path.join(GOLDEN, 'hand-ins.txt'));
  const view = graph(record, phase('dev'), { id: 'x', tags: seatTags('crew', RUN, 'dev') });
  expect(phaseOf(view, view.task(step('dev')) as Task)).toEqual({ record, phase: 'dev' });
  expect(phaseOf(view, view.task('x') as Task)).toBeUndefined();
  const panel = graph({ ...record, formation: 'panel' }, phase('dev'));
  expect(phaseOf(panel, panel.task(step('dev')) as Task)).toBeUndefined();
  expect(handoffRecordOf({ ...record, handoffs: { a: 'x', b: '' } })).toEqual({
    line: [
      ...[
        { name: 'architect', file: 'CONTRACT.md' },
        { name: 'dev', file: 'CHANGES.md' },
      ],
      ...[
        { name: 'qa', file: 'QA.md' },
        { name: 'deployer', file: 'DEPLOY.md' },
      ],
    ],
    accepted: new Map([['a', 'x']]),
    judged: new Map([['q', 'c']]),
  });
});

test('phases whose handoff nobody has looked at, or only one of an earlier end', () => {
  const handoffs = { 'PLAN.md': '', 'CONTRACT.md': 'c', 'QA.md': 'q' };
  const record = recordOf({ seats: SEATS, tasks: TASKS, handoffs, passed: { qa: 'then' } });
  const unseen = (more: Partial<FormationRecord>, ...tasks: (TaskFields & { id: string })[]) =>
    [...unrecordedPhases(graph({ ...record, ...more }, ...tasks))].map(({ id }) => id.slice(RUN.length + 1));
  const done = (name: string, completed_at = 'then') => phase(name, { status: 'done', completed_at });
  expect(unseen({}, done('architect'), done('dev'), done('qa'), phase('deployer'))).toEqual(['dev']);
  expect(unseen({}, done('qa', 'later'))).toEqual(['qa']);
  expect(unseen({ handoffs: {} }, done('architect'))).toEqual(['architect']);
  expect([unseen({ state: 'ended' }, done('dev')), unseen({ formation: 'panel' }, done('dev'))]).toEqual([[], []]);
});

test('what a run waits for a person to do, in the order of how urgent it is', () => {
  const record = recordOf({
    seats: SEATS,
    tasks: [...TASKS, ...['decide-dev', 'go', 'check-dev', 'brief-dev', 'odd'].map(step)],
  });
  const pending = (more: Partial<FormationRecord>, ...tasks: (TaskFields & { id: string })[]) =>
    pendingOf(graphOf(...tasks), formationRun(graphOf(...tasks), { ...record, ...more }), NOW).map(
      ({ kind, task, command }) => `${kind} ${task ?? '-'}: ${command}`.replaceAll(RUN, 'RUN'),
    );
  const person = (name: string, more: TaskFields = {}) => ({ id: step(name), human: true, ...more });
  expect(pending({ state: 'ended' }, person('go'))).toEqual([]);
  expect(pending({ state: 'proposed' }, person('go'))).toEqual(['line-up -: troupe playbook accept RUN']);
  expect(
    pending(
      {},
      ...['brief-dev', 'odd', 'check-dev', 'go', 'decide-dev'].map((name) => person(name)),
      phase('qa', { status: 'pending-validation' }),
    ),
  ).toEqual([
    'decide RUN-decide-dev: troupe done RUN-decide-dev',
    'go RUN-go: troupe playbook go RUN',
    'check RUN-check-dev: troupe done RUN-check-dev',
    'check RUN-odd: troupe done RUN-odd',
    'brief RUN-brief-dev: troupe done RUN-brief-dev',
    'review RUN-qa: troupe approve RUN-qa',
  ]);
  const failed = phase('dev', { status: 'failed', failure_reason: 'no luck', completed_at: 'x' });
  const behind = phase('qa', { after: [step('dev')], after_success: [step('dev')] });
  expect(pending({}, failed, behind)).toEqual(['failed RUN-dev: troupe retry RUN-dev']);
  for (const moving of [
    phase('architect'),
    phase('architect', { status: 'waiting' }),
    phase('architect', { status: 'in-progress' }),
  ])
    expect(pending({}, failed, behind, moving)).toEqual([]);
  const dropped = phase('dev', { status: 'abandoned', log: [{ timestamp: '', message: 'Over' }] });
  expect([pending({}, dropped, behind), pending({}, dropped)]).toEqual([['failed RUN-dev: troupe reopen RUN-dev'], []]);
  expect(pending({}, person('go', { after: [step('dev')] }), phase('dev'))).toEqual([]);
  const holds = (...tasks: (TaskFields & { id: string })[]) =>
    blockingStep(graphOf(...tasks), formationRun(graphOf(...tasks), record), NOW);
  expect(holds(failed, behind)).toEqual({ task: step('dev'), reason: 'failed: no luck' });
  expect(holds(dropped, behind)).toEqual({ task: step('dev'), reason: 'abandoned: Over' });
  expect(holds(phase('dev', { status: 'failed' }))).toEqual({
    task: step('dev'),
    reason: 'failed: no reason was given',
  });
  expect([holds(person('go')), holds(phase('dev'))]).toEqual([undefined, undefined]);
});

test('the log of a crew, and how its seats did', async () => {
  const notes = [
    'escalation: re-tier dev in dev → opus: it is; hard',
    'gate-events: dev did not pass',
    'steering: dev: quick',
    'escalation: re-role dev in dev → csv (new): x',
  ];
  const record = recordOf({
    ...{
      seats: [{ name: 'architect', tier: 'opus' }, { name: 'tess', phase: 'dev' }, { name: 'qa' }, { name: 'scribe' }],
    },
    ...{ tasks: TASKS, notes, defaults: ['architect', 'dev', 'qa', 'deployer'], kept: { 'lesson-dev': 'Ask first.' } },
    ...{ options: { category: 'bugfix', mode: 'autopilot' }, outcome: 'shipped' },
  });
  const view = graphOf(
    phase('architect', { status: 'done' }),
    phase('dev', { status: 'done' }),
    phase('qa', { status: 'done', loop_iteration: 1, retry_count: 2 }),
    phase('scribe', { status: 'done', rejection_count: 1 }),
  );
  const rows = crewOutcomes(view, record);
  expect(rows).toEqual([
    { name: 'architect', result: 'clean' },
    { name: 'tess', result: expect.not.stringMatching('clean'), lesson: 'Ask first.' },
    { name: 'qa', result: 'clean' },
    { name: 'scribe', result: expect.not.stringMatching('clean') },
  ]);
  const of = (more: TaskFields) => crewOutcomes(graphOf(phase('architect', more)), record)[0]?.result;
  const results = [
    { status: 'done' },
    { status: 'failed' },
    {},
    { status: 'done', loop_iteration: 1 },
    { status: 'done', retry_count: 1 },
  ] as const;
  expect(results.map(of)).toEqual([
    'clean',
    of({ status: 'failed' }),
    of({}),
    of({ status: 'done', loop_iteration: 1 }),
    of({ status: 'done', retry_count: 1 }),
  ]);
  expect(new Set(results.slice(1).map(of)).has('clean')).toBe(false);
  expect(cutSeats(record)).toEqual([{ name: 'deployer', result: 'cut' }]);
  const earlier =
    '- escalation: re-tier dev in dev → opus: x; re-tier dev in dev → opus: y\n- escalation: re-role a in b → csv (new): z; re-role a in b → csv (on probation): z\n';
  const lines = [
    crewEntry(record, rows, 'zion', earlier),
    crewEntry(recordOf({ seats: [{ name: 'dev' }] }), [], 'zion', ''),
  ];
  await expect(page(lines)).toMatchFileSnapshot(path.join(GOLDEN, 'crew-log.txt'));
});

test('the row that a minted seat gets', () => {
  expect(newRowOf('crew', { name: 'csv', phase: 'architect', charter: 'C', tier: 'opus', tools: 'Read' })).toEqual({
    name: 'csv',
    fields: { owns: 'C', model: 'opus', tools: 'Read', handoff: 'PLAN.md, CONTRACT.md' },
  });
  expect(newRowOf('crew', { name: 'csv', core: 'csv' })).toEqual({
    name: 'csv',
    fields: { role: 'csv', tools: 'all', handoff: 'CSV.md' },
  });
  expect(
    [newRowOf('panel', { name: 'a', tier: 'x' }), newRowOf('research', { name: 'a', charter: 'C' })].map(({ fields }) =>
      Object.values(fields),
    ),
  ).toEqual([['a'], ['C']]);
});

test('whose agent may not take a task of a sweep, what a seat hands in, and what one role alone learned', () => {
  const sweep = (seat: string, more: TaskFields = {}): TaskFields & { id: string } => ({
    id: step(seat),
    tags: seatTags('sweep', RUN, seat),
    ...more,
  });
  const record = recordOf({
    formation: 'sweep',
    seats: [{ name: 'web' }, { name: 'books' }],
    tasks: ['web', 'books', 'skeptic', 'gone', 'synthesiser'].map(step),
  });
  const tasks = [
    sweep('web', { agent: 'a-web' }),
    sweep('books'),
    sweep('skeptic', { agent: 'a-skeptic' }),
    sweep('synthesiser', { agent: 'a-syn' }),
  ];
  const view = graph(record, ...tasks);
  const barred = (id: string, of = view) => [...barredAgents(of, of.task(id) as Task)];
  expect(['web', 'books', 'skeptic', 'synthesiser'].map((seat) => barred(step(seat)))).toEqual([
    ['a-skeptic'],
    ['a-skeptic'],
    ['a-web'],
    [],
  ]);
  const other = graph(
    record,
    ...tasks,
    { id: 'x', tags: seatTags('crew', RUN, 'skeptic') },
    { id: 'y', tags: [`formation:${RUN}`, 'lane:research'] },
  );
  expect([barred('x', other), barred('y', other), barred(step('web'), graphOf(...tasks))]).toEqual([[], [], []]);
  const folder = `.claude/research-sweep/runs/${RUN}`;
  expect(
    seatFilesOf({ tags: seatTags('sweep', RUN, 'web'), deliverables: [`${folder}/scouts/web.yaml`, folder, 'x.md'] }),
  ).toEqual({
    run: RUN,
    files: new Map([['scouts/web.yaml', `${folder}/scouts/web.yaml`]]),
  });
  expect([
    seatFilesOf({ tags: seatTags('sweep', RUN, 'web') }),
    seatFilesOf({ tags: [], deliverables: ['x'] }),
  ]).toEqual([undefined, undefined]);
  expect(lessonOf({ tags: soloTags('qa') }, 'Done.\nLesson: ask first')).toEqual({ role: 'qa', lesson: 'ask first' });
  expect([
    lessonOf({ tags: soloTags('qa') }, 'Done.'),
    lessonOf({ tags: seatTags('crew', RUN, 'qa') }, 'Lesson: x'),
  ]).toEqual([undefined, undefined]);
});

const read = (text: string) => {
  try {
    const { inputs, body, ...rest } = parseHandoff(text);
    return JSON.stringify({ ...rest, inputs: [...inputs], lines: body.length });
  } catch (error) {
    return (error as Error).message;
  }
};

test('front matter of handoffs, as any tool or hand writes it', async () => {
  const hash = 'a'.repeat(64);
  const front = (...lines: string[]) => `---\n${lines.join('\n')}\n---\nDone.\n`;
  const texts = [
    'Done.',
    '',
    ...[
      'status: DONE',
      'Status : "blocked"',
      "status: 'Done' # so",
      'status: fine',
      'status:',
      'status: # none',
      'status:\n  DONE',
    ].map((line) => front(line)),
    ...[
      'phase: Dev',
      'phase: "dev',
      'diagnosis: Context',
      'x: 1\nx: 2',
      'phase: a\nPHASE: b',
      'no key',
      '- a',
      '  phase: dev\n  status: DONE',
      '  phase: dev\nstatus: DONE',
    ].map((line) => front(line)),
    ...[
      '',
      '# a comment',
      '   ',
      'inputs:',
      `inputs: {A.md: ${hash}}`,
      `inputs: {./A.md: sha256:${hash.toUpperCase()}, "B.md": '${hash}'}`,
    ].map((line) => front(line)),
    ...[
      `inputs:\n  A.md: ${hash} # x\n  # y\n  B.md: ${hash}`,
      `inputs: {A.md: ${hash},\n  B.md: ${hash}}`,
      'inputs: A.md',
      'inputs: {A.md}',
      `inputs: {: ${hash}}`,
    ].map((line) => front(line)),
    front(`inputs: {A.md: ${hash}, A.md: ${hash}}`),
    front('inputs:', ...Array.from({ length: HANDOFF_LIMITS.inputs }, (_, at) => `  f${at}: ${hash}`)),
    front('inputs:', ...Array.from({ length: HANDOFF_LIMITS.inputs + 1 }, (_, at) => `  f${at}: ${hash}`)),
    ...[
      '---\nstatus: DONE',
      '---\nstatus: DONE\n...\nx',
      'status: blocked',
      '1. **Status:** BLOCKED!',
      'Status: not blocked',
      'Status is blocked',
      '## status: BLOCKED — by him',
    ],
    ...[
      'diagnosis: Capability',
      '- *diagnosis*: ownership',
      'diagnosis: a b',
      `${'x\n'.repeat(HANDOFF_LIMITS.statusLines - 1)}status: BLOCKED`,
      `${'x\n'.repeat(HANDOFF_LIMITS.statusLines)}status: BLOCKED`,
    ],
  ];
  const lines = texts.map((text) => `${JSON.stringify(text).slice(0, 100)}\n  ${read(text).replaceAll(hash, 'HASH')}`);
  await expect(page(lines)).toMatchFileSnapshot(path.join(GOLDEN, 'handoff-files.txt'));
});

test('a report of one who is stuck: its parts, and those that it lacks', () => {
  const parts = [
    '## Tried\n\nTwo ways.\n<!-- not this -->',
    '## Why-stuck:\nNo.\n\n```\n## Needs\n```',
    '## NEEDS\n\nBash.',
    '## Suggested escalation\n\n`dba`',
  ];
  const report = (text: string) => blockedReport(parseHandoff(`status: BLOCKED\n\n${text}`));
  const whole = {
    tried: 'Two ways.',
    why: 'No.\n\n```\n## Needs\n```',
    needs: 'Bash.',
    escalation: '`dba`',
    diagnosis: undefined,
  };
  expect(report(parts.join('\n\n'))).toEqual(whole);
  expect(report(`diagnosis: context\n\n${parts.join('\n\n')}`)).toEqual({ ...whole, diagnosis: 'context' });
  expect(report(`diagnosis: tired\n\n${parts.join('\n\n')}`)).toEqual({
    lacks: ['a diagnosis of capability, ownership, contract, context, decision'],
  });
  expect(report(parts.slice(1).join('\n\n'))).toEqual({ lacks: ['`## Tried`'] });
  expect(report('')).toEqual({ lacks: ['`## Tried`', '`## Why stuck`', '`## Needs`', '`## Suggested escalation`'] });
  const long = report(parts.join('\n\n').replace('Two ways.', 'x'.repeat(HANDOFF_LIMITS.sectionCharacters + 1)));
  expect('tried' in long && long.tried.length).toBe(HANDOFF_LIMITS.sectionCharacters);
});

test('files that a role asks for, by their names', () => {
  const run = { folder: 'runs/r', handedOn: new Set(['CONTRACT.md']) };
  const asked = (needs: string) => filesAskedFor(needs, run);
  expect(asked('docs/csv.md, CONTRACT.md and src/a.ts (docs/csv.md)')).toEqual([
    'docs/csv.md',
    'runs/r/CONTRACT.md',
    'src/a.ts',
  ]);
  expect([asked('nothing at all'), asked('../x.md a/../b.md'), asked('https://x.y/z.md'), asked('v1.0.')]).toEqual([
    ...[[], [], asked('https://x.y/z.md'), asked('v1.0.')],
  ]);
  expect(
    asked(Array.from({ length: HANDOFF_LIMITS.filesAskedFor + 1 }, (_, at) => `f${at}.md`).join(' ')),
  ).toHaveLength(HANDOFF_LIMITS.filesAskedFor);
});

test('criteria of a contract, and how each stands', async () => {
  const contracts = [
    ...[
      '- a\n- b',
      '1. a\n2. b',
      '3. a\n5. b',
      '5. a\n3. b',
      '- 1 a\n- 2 b',
      '- 2 a\n- 4 b',
      '- #1: a\n- #3) b',
      '- 1) a\n- b',
      '- [x] a\n* [ ] b\n+ c',
    ],
    ...[
      '- a\n  - deep\n - near',
      '  - a\n- out\n\t- tab',
      '- a\n   - three',
      '-\n- a',
      '- 1\n- 2 b',
      'words\n\n- a\n\n### more\n- b\n## End\n- c',
      '',
    ],
  ].map((text) => `## Done-criteria\n\n${text}\n`);
  const lines = contracts.map(
    (text) =>
      `${JSON.stringify(text)}\n  ${criteriaOf(markdownLines(text))
        .map(({ number, text: words }) => `${number}=${words}`)
        .join(' | ')}`,
  );
  const contract = '## Done-criteria\n\n- rows\n- head\n- more\n';
  const qas = [
    ...[
      '- [PASS] 1 rows — seen',
      '- [PASS] 1 rows',
      '- [PASS] 1 rows — not tested',
      '- [FAIL] 1 rows — broken',
      '- [PASS] 1 — seen\n- [FAIL] 1 — broken',
      '- [PASS] 1\n- [PASS] 1 rows — seen',
      '[FAIL] 2',
      '- FAIL 2: x',
    ],
    ...[
      '| 1 | rows | PASS | seen |',
      '| # | Verdict | Proof |\n|---|---|---|\n| 2 | **PASS** | out.csv |',
      '| 3 | FAIL | |',
      '- [PASS] 1 rows\n  more\n  Evidence: npm test',
      '- [PASS] 9 — seen',
      '---\nstatus: x',
      '',
    ],
  ];
  lines.push(
    ...qas.map(
      (qa) =>
        `${JSON.stringify(qa)} ${passedCriteria(contract, qa)}\n  ${criteriaStandings(contract, qa)
          .map(({ number, verdict, evidence }) => `${number} ${verdict} ${evidence}`)
          .join(' | ')}`,
    ),
  );
  lines.push(
    `no contract: ${JSON.stringify(criteriaStandings(undefined, qas[0]))} ${passedCriteria(undefined, qas[0])} ${passedCriteria('---', qas[0])}`,
  );
  lines.push(
    `no QA.md: ${criteriaStandings(contract, undefined).map(({ verdict }) => verdict)} ${passedCriteria(contract, undefined)}`,
  );
  await expect(page(lines)).toMatchFileSnapshot(path.join(GOLDEN, 'criteria.txt'));
});
