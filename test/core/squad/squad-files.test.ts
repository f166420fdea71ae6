import { expect, test } from 'vitest';
import { readSquadState } from '#core/squad/squad-state.js';
import { teamOf as teamFrom } from '#core/squad/team.js';
import { readTeamFile } from '#core/squad/team-file.js';
import { verifies } from '../../verifies.js';
import { NO_SQUAD } from '../casting/small-catalog.js';
import { activeNames, after, confirm, propose, teamOf, textOf } from '../casting/stage.js';

const augment = (state: ReturnType<typeof teamOf>, ...ids: string[]) =>
  after(state, confirm(propose(ids, { state }), state, { intent: 'augment' }).changes);
const withText = (state: ReturnType<typeof teamOf>, path: string, text: string) =>
  readSquadState(new Map(state.texts).set(path, text));

verifies('squad.team-md', 'names, roles and charters stand in a table, the project context below', () => {
  const text = textOf(teamOf('lead-architect', 'writer'), '.squad/team.md');
  expect(text.match(/^#{1,2} .*$/gm)).toEqual(['# Squad Team', '## Coordinator', '## Members', '## Project Context']);
  expect(text).toContain('> zion');
  expect(text).toContain('| Neo | Lead Architect | `.squad/agents/neo/charter.md` | Active |');
  expect(text.match(/\| Active \|$/gm)).toHaveLength(6);
  for (const bullet of [
    '**Project:** zion',
    '**Universe:** The Matrix',
    '**Created:** 2026-07-01',
    '**Requested by:** ann',
    '**Description:** For a test.',
  ]) {
    expect(text).toContain(`- ${bullet}`);
  }
});

verifies('squad.team-md', 'foreign sections, Created and Description survive; a rewrite changes nothing more', () => {
  const before = teamOf('writer');
  const edited = textOf(before, '.squad/team.md')
    .replace('**Created:** 2026-07-01', '**Created:** 1999-03-31')
    .replace('**Description:** For a test.', '**Description:** Free the humans.\n- **Ship:** Nebuchadnezzar')
    .replace('## Members', '## House rules\n\n```\n## Members\n```\n\nNo shoes.\n\n## Members');
  const state = augment(withText(before, '.squad/team.md', edited), 'qa-engineer');
  const text = textOf(state, '.squad/team.md');
  expect(text).toContain('**Created:** 1999-03-31');
  expect(text).toContain('**Description:** Free the humans.');
  expect(text).toContain('**Ship:** Nebuchadnezzar');
  expect(text).toContain('## House rules\n\n```\n## Members\n```\n\nNo shoes.');
  expect(text).toContain('| Trinity | QA Engineer |');
  const again = textOf(augment(state, 'writer'), '.squad/team.md');
  expect(again.replace(/^\| Morpheus.*\n/m, '')).toBe(text);
});

verifies(
  'squad.team-md',
  'a name in the table is read whatever the spacing; text that is hostile stays one cell',
  () => {
    expect(readTeamFile('## Members\r\n|Name|Role|\r\n|:--|---|\r\n|  Neo |x|\r\n\r\nEnd').memberNames).toEqual([
      'Neo',
    ]);
    const { changes } = confirm(propose(['writer'], { rationale: 'a | b\n## Members\n| Evil |' }), NO_SQUAD);
    const written = changes.find((change) => change.path === '.squad/team.md');
    expect(readTeamFile(written?.kind === 'write' ? written.text : '').memberNames).not.toContain('Evil');
  },
);

verifies('squad.routing-md', 'active members by what they own, built-in ones apart; rewritten with the team', () => {
  const before = teamOf('writer');
  const state = after(before, confirm(propose(['qa-engineer'], { state: before }), before, { intent: 'new' }).changes);
  const [work = '', builtIn = ''] = textOf(state, '.squad/routing.md').split('## Built-in Agents');
  expect(work).toContain('## Work Assignment');
  expect(work).toContain('| QA Engineer: Does the first thing. Does the second thing. | Luke |');
  expect(work).not.toContain('Neo');
  expect(builtIn).toContain('| Ralph |');
});

verifies('squad.if-missing', 'first files are made once and then left alone', () => {
  const before = teamOf('writer');
  expect(JSON.parse(textOf(before, '.squad/config.json'))).toEqual({ version: 1, outputs: [] });
  expect(textOf(before, '.squad/rai/policy.md')).toBe('The policy.\n');
  const paths = [
    'config.json',
    'identity/now.md',
    'identity/wisdom.md',
    'rai/policy.md',
    'rai/audit-trail.md',
    'decisions.md',
  ];
  let changed = before;
  for (const path of paths) {
    expect(textOf(before, `.squad/${path}`)).not.toBe('');
    changed = withText(changed, `.squad/${path}`, 'ours');
  }
  const state = augment(changed, 'writer');
  for (const path of paths) expect(textOf(state, `.squad/${path}`)).toBe('ours');
});

verifies('squad.agents', 'charters of active members, a diary for new ones, alumni keep every charter they had', () => {
  let state = teamOf('writer');
  const history = textOf(state, '.squad/agents/neo/history.md');
  expect(history.match(/^## .*$/gm)).toEqual([
    '## Project Context',
    '## Core Context',
    '## Recent Updates',
    '## Learnings',
  ]);
  const charter = textOf(state, '.squad/agents/neo/charter.md');
  state = withText(state, '.squad/agents/_alumni/neo/charter.md', 'older\n');
  state = withText(state, '.squad/agents/_alumni/neo/charter.1.md', 'oldest\n');
  state = after(state, confirm(propose(['writer'], { state }), state, { intent: 'new' }).changes);
  expect(state.texts.has('.squad/agents/neo/charter.md')).toBe(false);
  expect(textOf(state, '.squad/agents/_alumni/neo/charter.md')).toBe(charter);
  expect(textOf(state, '.squad/agents/_alumni/neo/charter.2.md')).toBe('older\n');
  expect(textOf(state, '.squad/agents/_alumni/neo/charter.1.md')).toBe('oldest\n');
  expect(textOf(state, '.squad/agents/neo/history.md')).toBe(history);
});

verifies(
  'squad.casting',
  'events are appended, JSON is what the events rebuild to, the policy is never written',
  () => {
    const before = teamOf('writer');
    const state = augment(before, 'qa-engineer');
    const path = '.squad/casting/registry.events.jsonl';
    expect(textOf(state, path).startsWith(textOf(before, path))).toBe(true);
    const { agents } = JSON.parse(textOf(state, '.squad/casting/registry.json')) as {
      agents: Record<string, { name: string }>;
    };
    expect(Object.keys(agents)).toEqual(['coordinator', 'neo', 'rai', 'ralph', 'scribe', 'trinity']);
    const history = JSON.parse(textOf(state, '.squad/casting/history.json')) as {
      snapshots: unknown[];
      universeUsageHistory: string[];
    };
    expect(history.snapshots).toHaveLength(2);
    expect(history.universeUsageHistory).toEqual(['The Matrix']);
    expect(state.texts.has('.squad/casting/policy.json')).toBe(false);
  },
);

verifies('squad.append', 'a missing final line end is added before anything is appended', () => {
  const before = teamOf('writer');
  const path = '.squad/casting/registry.events.jsonl';
  const state = augment(withText(before, path, textOf(before, path).trimEnd()), 'qa-engineer');
  expect(activeNames(state)).toEqual(['Neo', 'Trinity']);
  expect(state.registry.badLines).toEqual([]);
});

verifies('squad.git-files', 'lines are added once, what is there stays', () => {
  const before = readSquadState(new Map([['.gitignore', 'node_modules\n.squad/log/']]));
  const first = after(before, confirm(propose(['writer'], { state: before, universe: 'The Matrix' }), before).changes);
  expect(textOf(first, '.gitignore')).toBe(
    'node_modules\n.squad/log/\n.squad/orchestration-log/\n.squad/decisions/inbox/\n.squad/sessions/\n.squad/.scratch/\n.squad/.cache/\n',
  );
  expect(textOf(first, '.gitattributes').trim().split('\n')).toHaveLength(9);
  expect(textOf(first, '.gitattributes')).toContain('.squad/agents/*/history.md merge=union\n');
  const second = augment(first, 'writer');
  for (const path of ['.gitignore', '.gitattributes']) expect(textOf(second, path)).toBe(textOf(first, path));
});

verifies(
  ['outputs.coordinator', 'outputs.safe'],
  'the Coordinator has an agent file where files for clients are wanted; one of somebody else is left alone',
  () => {
    const path = '.github/agents/squad-agentweaver.agent.md';
    const asked = confirm(propose(['writer']), NO_SQUAD, { clientFiles: 'wanted' });
    expect(textOf(after(NO_SQUAD, asked.changes), path)).toMatch(
      /^---\nname: squad-agentweaver\ndescription: .+\n---\n\n<!-- troupe:generated sha256:[0-9a-f]{64} -->/,
    );
    const foreign = readSquadState(new Map([[path, 'mine']]));
    expect(
      textOf(
        after(
          foreign,
          confirm(propose(['writer'], { state: foreign, universe: 'Firefly' }), foreign, { clientFiles: 'wanted' })
            .changes,
        ),
        path,
      ),
    ).toBe('mine');
  },
);

test('the team reads as cast members, then built-in ones, then those who left', () => {
  const before = teamOf('lead-architect');
  const state = after(before, confirm(propose(['writer'], { state: before }), before, { intent: 'new' }).changes);
  const team = teamFrom('zion', state.registry, state.history);
  expect(team?.members.map((member) => [member.name, member.status])).toEqual([
    ['Luke', 'Active'],
    ['Scribe', 'Active'],
    ['Ralph', 'Active'],
    ['Rai', 'Active'],
    ['Coordinator', 'Active'],
    ['Neo', 'Retired'],
  ]);
  expect(team).toMatchObject({ project: 'zion', universe: 'Star Wars', leader: 'Coordinator' });
  expect(teamFrom('zion', NO_SQUAD.registry, NO_SQUAD.history)).toBeUndefined();
});

test('members that only team.md knows are not lost by adding to them', () => {
  const state = readSquadState(new Map([['.squad/team.md', '## Members\n\n| Name |\n| --- |\n| Ripley |\n']]));
  expect(state.teamPresent).toBe(true);
  expect(() => confirm(propose(['writer'], { state }), state, { intent: 'augment' })).toThrow(
    expect.objectContaining({ code: 'migration_required' }),
  );
});
