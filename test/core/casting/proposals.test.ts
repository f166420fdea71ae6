import { expect } from 'vitest';
import { type AmendRequest, amendProposal, membersAfter } from '#core/casting/amend.js';
import { bespokeCharter, bespokeRole } from '#core/casting/bespoke.js';
import { planConfirmation } from '#core/casting/confirm.js';
import { DRIFTS, driftsOf } from '#core/casting/drift.js';
import { chosenName } from '#core/casting/member-change.js';
import { choiceBlocks, picksFromAnswer } from '#core/casting/model-casting.js';
import { ReservedNames } from '#core/casting/names.js';
import { type Proposal, serializeProposal } from '#core/casting/proposal.js';
import { resolvePicks } from '#core/casting/propose.js';
import { planRender } from '#core/casting/render-files.js';
import { readSquadState } from '#core/squad/squad-state.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { refusalOf } from '../../refusal.js';
import { verifies } from '../../verifies.js';
import { codeOf } from '../graph/graph.js';
import { NO_SQUAD } from './small-catalog.js';
import { after, catalog, confirm, memberWish, NOW, propose, teamOf, templates } from './stage.js';

const EVENTS = '.squad/casting/registry.events.jsonl';
const HISTORY = '.squad/casting/history.events.jsonl';
const row = (value: object) => `${JSON.stringify(value)}\n`;
const stateOf = (texts: Readonly<Record<string, string>>) => readSquadState(new Map(Object.entries(texts)));
const amend = (proposal: Proposal, wish: Partial<AmendRequest> = {}) =>
  amendProposal({ proposal, state: NO_SQUAD, catalog, templates, now: NOW + 60_000, ...wish });
const line = (archetype_id: string, proposed_name?: string) => ({
  archetype_id,
  ...(proposed_name === undefined ? {} : { proposed_name }),
});
const rows = ({ members }: Proposal) =>
  members.map(
    ({ role, proposed_name, augment_name = '-', name_source, held_by = '-', justification }) =>
      `${role.id} ${proposed_name} ${augment_name} ${name_source} ${held_by} ${justification}`,
  );
const refusal = (action: () => unknown) => {
  const { code, message } = refusalOf(action);
  return `${code}: ${message}`;
};

verifies('casting.amend', 'each line finds its member by name and role, then by role; others are added', () => {
  const first = propose(['writer', 'qa-engineer', 'docs-writer', 'writer']);
  expect(rows(amend(first))).toEqual(rows(first));
  const of = (...members: ReturnType<typeof line>[]) => rows(amend(first, { members }));
  expect([
    of(line('writer', 'Neo'), line('qa-engineer', ' TRINITY '), line('docs-writer', 'morpheus')),
    of(line('writer', 'Tank'), line('writer', 'Neo')),
    of(line('qa-engineer', 'Neo'), line('docs-writer')),
    of(line('writer'), line('writer'), line('writer')),
    of(line('writer', 'Switch'), line('lead-architect')),
  ]).toMatchInlineSnapshot(`
    [
      [
        "writer Neo - pool - Named.",
        "qa-engineer Trinity - pool - Named.",
        "docs-writer Morpheus - pool - Named.",
      ],
      [
        "writer Tank - pool - Named.",
        "writer Neo - pool - Named.",
      ],
      [
        "qa-engineer Neo - pool - Named.",
        "docs-writer Morpheus - pool - Named.",
      ],
      [
        "writer Neo - pool - Named.",
        "writer Tank - pool - Named.",
        "writer Trinity - pool - Added by you.",
      ],
      [
        "writer Switch - picked - Named.",
        "lead-architect Neo - pool - Added by you.",
      ],
    ]
  `);
});

verifies('casting.amend', 'the names for a grown team follow the lines of an undecided proposal', () => {
  const state = teamOf('writer', 'lead-architect');
  const first = propose(['qa-engineer', 'docs-writer'], { state, mode: 'free_text' });
  const of = (...members: ReturnType<typeof line>[]) => rows(amend(first, { state, members }));
  expect([
    rows(first),
    of(line('docs-writer', 'Luke'), line('qa-engineer', 'Leia')),
    of(line('qa-engineer', 'Han'), line('docs-writer')),
    of(line('writer', 'Leia'), line('qa-engineer')),
    of(line('writer', 'Neo')),
    rows(amend(first, { state, universe: 'Firefly' })),
  ]).toMatchInlineSnapshot(`
    [
      [
        "qa-engineer Luke Morpheus pool - Named.",
        "docs-writer Leia Tank pool - Named.",
      ],
      [
        "docs-writer Luke Tank pool - Named.",
        "qa-engineer Leia Morpheus pool - Named.",
      ],
      [
        "qa-engineer Han Morpheus picked - Named.",
        "docs-writer Leia Tank pool - Named.",
      ],
      [
        "writer Leia Tank pool - Added by you.",
        "qa-engineer Luke Morpheus pool - Named.",
      ],
      [
        "writer Neo Neo kept - Added by you.",
      ],
      [
        "qa-engineer Mal Morpheus pool - Named.",
        "docs-writer Zoe Tank pool - Named.",
      ],
    ]
  `);
  const kept = propose(['writer', 'qa-engineer'], { state, intent: 'augment', mode: 'free_text' });
  expect([
    rows(kept),
    rows(amend(kept, { state, members: [line('qa-engineer', 'Tank'), line('writer')] })),
  ]).toMatchInlineSnapshot(`
    [
      [
        "writer Neo - kept Neo Named.",
        "qa-engineer Morpheus - pool - Named.",
      ],
      [
        "qa-engineer Tank - picked - Named.",
        "writer Neo - kept Neo Named.",
      ],
    ]
  `);
});

verifies('casting.amend', 'warnings of the choice stay, those of names are made again', () => {
  const choice = { code: 'offline_ranking', message: 'By words.' };
  const first = propose(['writer', 'qa-engineer'], { warnings: [choice], runId: 'run-1' });
  expect([first.warnings, first.run_id]).toEqual([[choice], 'run-1']);
  expect(propose(['writer'])).not.toHaveProperty('run_id');
  const ignored = {
    code: 'charter_ignored',
    message: 'Submitted charters are ignored: they are compiled from the catalog. Edit them after you confirm.',
  };
  const sent = { ...line('writer', 'Neo'), charter_markdown: '# x' };
  expect(amend(first, { members: [sent, line('qa-engineer', 'Trinity')] }).warnings).toEqual([choice, ignored]);
  const unheard = stateOf({ '.squad/casting/policy.json': '{"allowlistUniverses":["Narnia","Oz"]}' });
  const numbered = propose(['writer'], { state: unheard, universe: undefined });
  expect(numbered.warnings.map(({ message }) => message)).toEqual([
    'Allowed, but without a pool of names: Narnia, Oz.',
    'Oz has no free name left for some members.',
  ]);
  expect(refusal(() => amend(numbered, { state: unheard, members: [line('writer', 'Lucy')] }))).toBe(
    'name_invalid: These names cannot be used: "Lucy" is not a name of Oz.',
  );
  expect(
    refusal(() =>
      amend(first, { members: [line('writer', 'x'.repeat(61)), line('writer', 'Trinity'), line('writer', 'Trinity')] }),
    ),
  ).toBe(
    `name_invalid: These names cannot be used: "${'x'.repeat(59)}…" is not a name of The Matrix; "Trinity" appears twice.`,
  );
});

verifies('casting.amend', 'changes as entered on the command line', () => {
  const first = propose(['writer', 'qa-engineer', 'writer']);
  const of = (wish: Parameters<typeof membersAfter>[1]) =>
    membersAfter(first, wish).map(({ archetype_id, proposed_name = '-' }) => `${archetype_id} ${proposed_name}`);
  expect([
    of({}),
    of({ name: [' trinity = Tank ', 'Neo=Trinity'] }),
    of({ drop: ['NEO ', 'Morpheus'], add: ['docs-writer', 'docs-writer'] }),
    of({ drop: ['Trinity'], name: ['Trinity=Tank'] }),
  ]).toEqual([
    ['writer Neo', 'qa-engineer Trinity', 'writer Morpheus'],
    ['writer Trinity', 'qa-engineer Tank', 'writer Morpheus'],
    ['qa-engineer Trinity', 'docs-writer -', 'docs-writer -'],
    ['writer Neo', 'writer Morpheus'],
  ]);
  expect(
    [{ name: ['Neo'] }, { name: ['Neo='] }, { name: ['a=b=c'] }, { name: ['Han=Leia'] }, { drop: ['Han'] }].map(
      (wish) => refusal(() => of(wish)),
    ),
  ).toEqual([
    'bad_input: "Neo" is not OLD=NEW.',
    'bad_input: "Neo=" is not OLD=NEW.',
    'bad_input: "a=b=c" is not OLD=NEW.',
    'not_found: No one in the proposal is called "Han".',
    'not_found: No one in the proposal is called "Han".',
  ]);
});

verifies('casting.manual', 'a cast has one to fifty members, bespoke ones among them', () => {
  const own = bespokeRole({ id: 'poet', title: 'Poet', charter: 'Writes.' });
  const of = (bespoke: number, named: number) =>
    resolvePicks(catalog, [
      ...Array.from({ length: bespoke }, () => ({ archetypeId: 'poet', bespoke: own })),
      ...Array.from({ length: named }, () => ({ archetypeId: 'writer' })),
    ]).length;
  expect([of(50, 0), of(0, 50), of(1, 49)]).toEqual([50, 50, 50]);
  expect(
    [of.bind(0, 51, 0), of.bind(0, 0, 51), of.bind(0, 2, 49), of.bind(0, 0, 0)].map((cast) => refusal(cast)),
  ).toEqual([
    ...Array(3).fill('bad_input: A cast must have 1 to 50 members, not 51.'),
    'bad_input: A cast must have 1 to 50 members, not 0.',
  ]);
});

verifies(
  'cast.sees-team',
  'a team of another universe keeps its members when it grows, and one that is recast keeps their names',
  () => {
    const state = teamOf('writer', 'qa-engineer');
    const mixed = { state, mode: 'free_text', method: 'lexical' } as const;
    const descriptive = after(
      NO_SQUAD,
      confirm(propose(['writer', 'qa-engineer'], { universe: 'descriptive' }), NO_SQUAD).changes,
    );
    expect([
      rows(propose(['writer', 'docs-writer'], { ...mixed, universe: 'The Matrix' })),
      rows(propose(['docs-writer', 'docs-writer'], { ...mixed, universe: 'The Matrix' })),
      rows(propose(['writer', 'docs-writer'], { ...mixed, universe: 'Firefly' })),
      rows(
        propose(['docs-writer', 'writer', 'lead-architect'], {
          state: descriptive,
          intent: 'recast',
          universe: undefined,
        }),
      ),
    ]).toMatchInlineSnapshot(`
      [
        [
          "writer Morpheus Neo pool Neo Named.",
          "docs-writer Tank Morpheus pool - Named.",
        ],
        [
          "docs-writer Morpheus Morpheus pool - Named.",
          "docs-writer Tank Tank pool - Named.",
        ],
        [
          "writer Mal Neo pool Neo Named.",
          "docs-writer Zoe Morpheus pool - Named.",
        ],
        [
          "docs-writer docs-writer - descriptive - Named.",
          "writer writer - kept - Named.",
          "lead-architect lead-architect - descriptive - Named.",
        ],
      ]
    `);
  },
);

verifies('confirm.idempotent', 'a confirmation in the lines of another tool is repeated with what it says', () => {
  const proposal = propose(['writer']);
  const done = (more: object) => {
    const snapshot = {
      proposalId: proposal.proposal_id,
      universe: 'Dune',
      members: ['Neo'],
      createdAt: '2026-01-01',
    };
    const state = stateOf({
      [HISTORY]: row({ snapshotId: 'other', ...snapshot, proposalId: 'x' }) + row({ ...snapshot, ...more }),
    });
    return planConfirmation({ ...memberWish(state), proposal });
  };
  const bare = {
    ...{ proposal_id: proposal.proposal_id, snapshot_id: '', intent: 'new', universe: 'Dune', leader: 'Coordinator' },
    ...{ added: [], retired: [], members: [], outside: [] },
  };
  expect(done({})).toMatchObject({ changes: [], result: { ...bare, outside: expect.any(Array) } });
  expect(
    done({ snapshotId: 's', intent: 'Recast', leader: 'Neo', addedMembers: ['Neo'], retiredMembers: ['Tank'] }).result,
  ).toMatchObject({ snapshot_id: 's', intent: 'recast', leader: 'Neo', added: ['Neo'], retired: ['Tank'] });
});

verifies('confirm.new', 'a proposal that was edited gives no name twice; a new team has a leader of its own', () => {
  const two = propose(['writer', 'qa-engineer']);
  const named = (...names: string[]) => ({
    ...two,
    members: two.members.map((member, at) => ({ ...member, proposed_name: names[at] ?? '' })),
  });
  expect(refusal(() => confirm(named('Neo', 'neo'), NO_SQUAD))).toBe('name_invalid: The name "neo" is taken.');
  expect(refusal(() => confirm(named('Neo', 'Scribe'), NO_SQUAD))).toBe('name_invalid: The name "Scribe" is taken.');
  const state = teamOf('writer', 'lead-architect');
  const again = propose(['lead-architect', 'writer'], { state });
  const anew = {
    ...again,
    members: again.members.map((member, at) => ({ ...member, proposed_name: at === 0 ? 'Tank' : 'Trinity' })),
  };
  expect(confirm(anew, state, { intent: 'new' }).result.leader).toBe('Tank');
  expect(confirm(anew, state, { intent: 'recast' }).result.leader).toBe('Trinity');
  // A team without a universe of its own grows in that of the proposal.
  const bare = stateOf({ [EVENTS]: row({ name: 'Ada', status: 'Active', rev: 1 }) });
  const grown = propose(['writer'], { state: bare, intent: 'augment', universe: 'Firefly' });
  expect(confirm(grown, bare).result).toMatchObject({ universe: 'Firefly', added: ['Mal'], leader: 'Coordinator' });
});

verifies(
  'squad.check',
  'two members of one name are shown with their first events; rows by hand with their names',
  () => {
    expect(DRIFTS).toEqual(['layout', 'bad-line', 'clash', 'json', 'markdown', 'outputs']);
    const clash =
      row({ name: 'Neo', status: 'Active' }) +
      row({ name: 'Neo', status: 'Active', rev: 1, eventId: 'b', roleTitle: 'Writer' });
    expect(driftsOf(new Map([[EVENTS, `${clash}no line\n`]]), catalog, 'zion')).toEqual([
      { kind: 'bad-line', file: EVENTS, message: 'line 3 cannot be parsed' },
      { kind: 'clash', file: EVENTS, message: 'Neo is two members:  (no role) and b (Writer)' },
    ]);
    const state = teamOf('writer', 'qa-engineer');
    const page = state.texts.get('.squad/team.md') ?? '';
    const drift = (text: string) =>
      driftsOf(new Map(state.texts).set('.squad/team.md', text), catalog, 'zion').map(({ message }) => message);
    const without = (name: string) =>
      page
        .split('\n')
        .filter((one) => !one.startsWith(`| ${name} |`))
        .join('\n');
    expect([
      drift(page),
      drift(without('Neo')),
      drift(page.replace('| Neo |', '| Nea |')),
      drift(without('Neo').replace('| Trinity |', '| Tess |')),
    ]).toEqual([
      [],
      ['lacks current members'],
      ['has rows the registry does not: Nea'],
      ['has rows the registry does not: Tess'],
    ]);
  },
);

verifies('squad.state-wins', 'files written again keep the members and casts that only the JSON files had', () => {
  const state = teamOf('writer');
  const texts = new Map(state.texts);
  texts.delete(EVENTS);
  texts.delete(HISTORY);
  const { changes } = planRender({
    ...{ state: readSquadState(texts), catalog, templates, project: 'zion', clientFiles: 'configured' },
  });
  expect(changes.flatMap((change) => (change.kind === 'append' ? [[change.path, change.idField]] : []))).toEqual([
    [EVENTS, 'eventId'],
    [HISTORY, 'snapshotId'],
  ]);
});

verifies(
  'casting.names.reserved',
  'a reserved name is reserved in any case, with spaces around it, and as a folder',
  () => {
    const reserved = new ReservedNames([' Mary Ann ']);
    expect(
      ['mary ann', 'MARY ANN', 'mary-ann', ' Mary Ann', 'Mary', 'user', 'System'].map((name) => reserved.has(name)),
    ).toEqual([...[true, true, true, true, false, true, true]]);
    const wish = memberWish(teamOf('writer'));
    expect(chosenName(wish, ` ${'x'.repeat(40)} `)).toBe('x'.repeat(40));
    const long = 'x'.repeat(TEAM_LIMITS.memberNameCharacters + 21);
    expect(refusal(() => chosenName(wish, long))).toBe(
      `name_invalid: "${'x'.repeat(59)}…" is longer than 40 characters.`,
    );
    expect([' NEO', 'coordinator', 'all'].map((name) => codeOf(() => chosenName(wish, name)))).toEqual(
      Array(3).fill('name_invalid'),
    );
    expect(['..', 'a/b', '.'].map((name) => codeOf(() => chosenName(wish, name)))).toEqual(
      Array(3).fill('name_invalid'),
    );
  },
);

verifies('casting.bespoke', 'the limits of a bespoke role, and the headline of its charter', () => {
  const good = { id: 'poet', title: 'Poet', charter: '# Old — Poet\n\n# Part\n\nFirst\n  line.\n\nSecond.' };
  expect(bespokeRole(good).archetype.summary).toBe('First line.');
  expect(bespokeRole({ ...good, charter: '# Only a headline' }).archetype.summary).toBe('Poet');
  const long = bespokeRole({ ...good, charter: `${'x'.repeat(2_001)}` }).archetype.summary;
  expect([[...long].length, long.endsWith('x…')]).toEqual([2_000, true]);
  const code = (more: object) => codeOf(() => bespokeRole({ ...good, ...more }));
  expect([
    code({ title: 'x'.repeat(300) }),
    code({ title: 'x'.repeat(301) }),
    code({ charter: 'x'.repeat(TEAM_LIMITS.charterCharacters) }),
    code({ charter: 'x'.repeat(TEAM_LIMITS.charterCharacters + 1) }),
    code({ id: 'x'.repeat(64) }),
    code({ id: 'x'.repeat(65) }),
  ]).toEqual(['none', 'bad_input', 'none', 'bad_input', 'none', 'bad_input']);
  expect(refusal(() => bespokeRole({ ...good, id: 'X'.repeat(61) }))).toBe(
    `bad_input: The role "${'X'.repeat(59)}…" needs an id of a-z, 0-9 and -.`,
  );
  const charter = (text: string) => bespokeCharter('Neo', bespokeRole({ ...good, charter: text }));
  expect([charter('# Old — Poet\n\nBody.'), charter('# Old\n\nBody.'), charter('Old — Poet\n\nBody.')]).toEqual([
    '# Neo — Poet\n\nBody.\n',
    '# Neo — Poet\n\n# Old\n\nBody.\n',
    '# Neo — Poet\n\nOld — Poet\n\nBody.\n',
  ]);
});

verifies('casting.parse.closed', 'six roles that do not exist: five are named, all are counted', () => {
  const ids = ['a', 'b', 'c', 'd', 'e', `f${'x'.repeat(60)}`];
  const read = (...roles: unknown[]) => picksFromAnswer(catalog, JSON.stringify({ rationale: ' ', roles }), 3);
  expect(read('writer', ...ids)?.warnings).toEqual([
    {
      code: 'unknown_role',
      message: 'The model named 6 roles that the catalog does not have: "a", "b", "c", "d", "e".',
    },
  ]);
  expect(read(' writer ', ids[5], 'scribe')).toEqual({
    picks: [{ archetypeId: 'writer', reason: 'Chosen by the model.' }],
    rationale: 'Chosen by the model.',
    warnings: [
      {
        code: 'unknown_role',
        message: `The model named 1 role that the catalog does not have: "f${'x'.repeat(58)}…".`,
      },
      { code: 'builtin_role', message: 'The model named 1 role that joins every team automatically: "scribe".' },
    ],
  });
  expect(read({ role_id: 'writer', reason: ' a  b\n' })?.picks[0]?.reason).toBe('a b');
  const most = (label: 'goal' | 'repository') =>
    choiceBlocks(catalog.menu, { label, text: 'x' }).map((block) => [block.label, block.most]);
  expect([most('goal'), most('repository')]).toEqual([
    [
      ['menu', TEAM_LIMITS.modelTextsBytes],
      ['goal', TEAM_LIMITS.goalCharacters * 4],
    ],
    [
      ['menu', TEAM_LIMITS.modelTextsBytes],
      ['repository', TEAM_LIMITS.analysisSummaryCharacters * 4],
    ],
  ]);
  expect(serializeProposal(propose(['writer']))).toMatch(/^\{\n {2}"proposal_id": "id-/);
});
