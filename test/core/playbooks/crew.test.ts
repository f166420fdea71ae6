import { expect, test } from 'vitest';
import { type CrewMode, categoryOf, compileCrew, defaultCrew, lossesOf, namedCrew } from '#core/playbooks/crew.js';
import { changesOf, editedNames, matchingRows, topicStems } from '#core/playbooks/line-up.js';
import { releaseCommands } from '#core/playbooks/release.js';
import { type LaneRow, NO_ROLES, type RoleRegistry, type RowStatus } from '#core/roles/lane.js';
import { verifies } from '../../verifies.js';

const RUN = '20261123-add-csv-export-1f0c';
const GOAL = 'Add CSV export';

function row(name: string, status: RowStatus, fields: Record<string, string> = {}, role?: string): LaneRow {
  const { model, ...rest } = fields;
  return {
    ...{ lane: 'crew' as const, name, line: 1, role, status, runs: { clean: 0, thin: 0, cuts: 0 }, lessons: [] },
    fields: new Map(Object.entries({ ...rest, ...(model === undefined ? {} : { model }) })),
  };
}

function withRows(rows: readonly LaneRow[], cores: RoleRegistry['cores'] = new Map()): RoleRegistry {
  return { ...NO_ROLES, cores, rows: { ...NO_ROLES.rows, crew: rows } };
}

function compiled(mode: CrewMode, names = ['architect', 'dev', 'qa', 'deployer']) {
  return compileCrew(
    GOAL,
    namedCrew(
      NO_ROLES,
      names.map((name) => ({ name })),
    ),
    { run: RUN, mode },
  ).tasks;
}
const ids = (tasks: readonly { id: string }[]) => tasks.map(({ id }) => id.slice(RUN.length + 1));

verifies('crew.chain', 'one task a phase, each only after the one before succeeded, with the gate as its check', () => {
  const tasks = compiled('autopilot');
  expect(ids(tasks)).toEqual(['architect', 'dev', 'qa', 'deployer', 'go', 'release']);
  expect(tasks.map(({ after_success: before }) => before)).toEqual([
    undefined,
    ...['architect', 'dev', 'qa', 'deployer', 'go'].map((step) => [`${RUN}-${step}`]),
  ]);
  for (const phase of ['architect', 'dev', 'qa', 'deployer']) {
    const task = tasks.find(({ id }) => id === `${RUN}-${phase}`);
    expect(task?.verify_cmd).toBe(`"$TROUPE_BIN" roles check-handoffs --run ${RUN} --phase ${phase}`);
    expect(task?.tags).toEqual([`formation:${RUN}`, 'lane:crew', `seat:${phase}`, `phase:${phase}`]);
    expect(task?.exec).toBeUndefined();
  }
  expect(tasks.every(({ paused, no_place: own }) => paused === true && own === true)).toBe(true);
});

verifies(
  'crew.qa.loop',
  'dev and qa form a cycle with dev as its header, which goes round twice while qa fails',
  () => {
    const dev = compiled('autopilot').find(({ id }) => id === `${RUN}-dev`);
    expect(dev).toMatchObject({
      after: [`${RUN}-qa`],
      after_success: [`${RUN}-architect`],
      max_iterations: 2,
      no_converge: true,
      cycle_guard: `task:${RUN}-qa=failed`,
    });
    expect(compiled('autopilot', ['dev', 'deployer'])[0]?.max_iterations).toBeUndefined();
  },
);

verifies('crew.mode', 'autopilot asks nobody before the go, checkpoint after each phase, co-drive before each', () => {
  expect(ids(compiled('checkpoint'))).toEqual([
    ...['architect', 'check-architect', 'dev', 'check-dev', 'qa', 'check-qa', 'deployer', 'go', 'release'],
  ]);
  expect(ids(compiled('co-drive'))).toEqual([
    ...[
      'brief-architect',
      'architect',
      'brief-dev',
      'dev',
      'brief-qa',
      'qa',
      'brief-deployer',
      'deployer',
      'go',
      'release',
    ],
  ]);
  for (const mode of ['checkpoint', 'co-drive'] as const)
    for (const task of compiled(mode))
      expect(task.human, task.id).toBe(/-(?:check|brief)-|-go$/.test(task.id) ? true : undefined);
});

verifies(
  'crew.deploy',
  'in every mode a person says go before the release, and without a deployer nothing is released',
  () => {
    for (const mode of ['autopilot', 'checkpoint', 'co-drive'] as const) {
      const tasks = compiled(mode);
      expect(tasks.find(({ id }) => id === `${RUN}-go`)).toMatchObject({ human: true });
      expect(tasks.find(({ id }) => id === `${RUN}-release`)).toMatchObject({
        exec_mode: 'shell',
        after_success: [`${RUN}-go`],
      });
      expect(tasks.find(({ id }) => id === `${RUN}-release`)?.exec).toBeUndefined();
    }
    expect(ids(compiled('autopilot', ['architect', 'dev', 'qa']))).toEqual(['architect', 'dev', 'qa']);
  },
);

verifies('crew.deploy', 'the commands of a release are the bytes of one block, and nobody guesses', () => {
  const block = 'npm version patch\n\tnpm publish  \n';
  expect(
    releaseCommands(`# Deploy\n\n## Commands\n\nRun:\n\n\`\`\`sh\n${block}\`\`\`\n\n## Back\n\n\`\`\`\nno\n\`\`\`\n`),
  ).toEqual({ commands: block });
  expect(releaseCommands('## Commands\n\nNone.\n')).toEqual({ commands: '' });
  expect(releaseCommands('````\n## Commands\n```\nrm -rf /\n```\n````\n')).toHaveProperty('problem');
  expect(releaseCommands('## Commands\n```\na\n```\n```\nb\n```\n')).toHaveProperty('problem');
  expect(releaseCommands('## Commands\n```\na\n```\n## Commands\n```\nb\n```\n')).toHaveProperty('problem');
  expect(releaseCommands('## Commands\n```\na\n')).toHaveProperty('problem');
  expect(releaseCommands(`## Commands\n\`\`\`\n${'x'.repeat(70_000)}\n\`\`\`\n`)).toHaveProperty('problem');
});

verifies(
  'form.seats.order',
  'stable rows that match come first, then probationary ones, then new ones; the same input gives the same seats',
  () => {
    const rows = [
      row('csv-intern', 'probationary', { owns: 'csv export and csv import', handoff: 'CHANGES.md' }),
      row('csv-veteran', 'stable', { owns: 'csv files', handoff: 'CHANGES.md', model: 'opus' }),
      row('csv-legend', 'retired', { owns: 'csv export', handoff: 'CHANGES.md' }),
      row('painter', 'stable', { owns: 'colours', handoff: 'CHANGES.md' }),
      row('qa', 'probationary', {}),
    ];
    expect(matchingRows(withRows(rows), 'crew', topicStems(GOAL)).map(({ name }) => name)).toEqual([
      'csv-veteran',
      'csv-intern',
    ]);
    const seats = defaultCrew(withRows(rows), GOAL);
    expect(seats.map(({ name, phase, minted, tier }) => [name, phase, minted, tier])).toEqual([
      ['architect', 'architect', true, undefined],
      ['csv-veteran', 'dev', false, 'opus'],
      ['qa', 'qa', false, undefined],
      ['deployer', 'deployer', true, undefined],
    ]);
    expect(defaultCrew(withRows([...rows].reverse()), GOAL)).toEqual(seats);
    // The trigger of a core role counts as well as that of the row.
    const core = { name: 'exporter', charter: 'Exports.', whenToUse: ['csv'], body: '', core: [], solo: [] };
    const linked = withRows(
      [row('export-hand', 'stable', { handoff: 'CHANGES.md' }, 'exporter')],
      new Map([['exporter', core]]),
    );
    expect(defaultCrew(linked, GOAL)[1]).toMatchObject({ name: 'export-hand', core });
  },
);

verifies('form.shared', 'one core role sits in a crew too: the skeptic between qa and deployer', () => {
  const core = {
    name: 'skeptic',
    charter: 'Doubts what everybody believes.',
    whenToUse: [],
    body: '',
    core: [],
    solo: [],
  };
  const registry = withRows([row('skeptic', 'stable', {}, 'skeptic')], new Map([['skeptic', core]]));
  const seats = namedCrew(
    registry,
    ['architect', 'dev', 'qa', 'skeptic', 'deployer'].map((name) => ({ name })),
  );
  expect(seats[3]).toMatchObject({ name: 'skeptic', core, minted: false });
  const tasks = compileCrew(GOAL, seats, { run: RUN, mode: 'autopilot' }).tasks;
  const skeptic = tasks.find(({ id }) => id === `${RUN}-skeptic`);
  expect(skeptic).toMatchObject({
    after_success: [`${RUN}-qa`],
    deliverables: [`.claude/dev-crew/runs/${RUN}/SKEPTIC.md`],
    tags: expect.arrayContaining(['lane:crew', 'seat:skeptic']),
  });
  expect(tasks.find(({ id }) => id === `${RUN}-deployer`)?.after_success).toEqual([`${RUN}-skeptic`]);
  expect(skeptic?.description).not.toContain('Doubts what everybody believes');
});

test('a line-up is changed by names: added, dropped, swapped, given a tier and an order', () => {
  const seats = ['architect', 'dev', 'qa'].map((name) => ({ name }));
  const names = (edit: Parameters<typeof editedNames>[1]) => editedNames(seats, edit).map(({ name }) => name);
  expect(names({ add: ['skeptic'], drop: ['qa'] })).toEqual(['architect', 'dev', 'skeptic']);
  expect(names({ swap: ['dev=csv-expert'] })).toEqual(['architect', 'csv-expert', 'qa']);
  expect(names({ order: ['qa', 'architect', 'dev'] })).toEqual(['qa', 'architect', 'dev']);
  expect(editedNames(seats, { tier: ['qa=opus'] })[2]).toMatchObject({ name: 'qa', tier: 'opus' });
  expect(changesOf(['architect', 'dev', 'qa'], [{ name: 'dev' }, { name: 'skeptic' }])).toEqual({
    cut: ['architect', 'qa'],
    added: ['skeptic'],
  });
  for (const edit of [
    { drop: ['nobody'] },
    { order: ['qa'] },
    { order: ['qa', 'qa', 'dev'] },
    { swap: ['dev'] },
    { add: ['../x'] },
    { add: ['dev'] },
    { drop: ['architect', 'dev', 'qa'] },
  ])
    expect(() => names(edit), JSON.stringify(edit)).toThrow(
      expect.objectContaining({ code: expect.stringMatching(/^(?:not_found|bad_)/) }),
    );
});

test('cutting a default seat says what is lost; the kind of work is read from the goal', () => {
  expect(lossesOf(['qa'])).toEqual(['Without qa: no one checks it: it is released as dev reports it.']);
  expect(
    [
      'Fix the crash on start',
      'Add CSV export',
      'Migrate the users table',
      'Make the list faster',
      'Refactor the parser',
    ].map(categoryOf),
  ).toEqual([...['bugfix', 'feature', 'schema-change', 'perf', 'refactor']]);
});

test('a goal is about its words, without those that are short or say nothing', () => {
  expect([...topicStems('Do an API for the new users', ['caching'])]).toEqual([...topicStems('api users caching')]);
  expect([...topicStems('to do it')]).toEqual([]);
});
