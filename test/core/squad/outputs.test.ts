import { expect } from 'vitest';
import { parse } from 'yaml';
import { driftsOf } from '#core/casting/drift.js';
import { addCastMember, renameMember, reroleMember, retireOne } from '#core/casting/members.js';
import { planRender } from '#core/casting/render-files.js';
import { withChanges } from '#core/squad/file-change.js';
import type { ClientFiles } from '#core/squad/outputs.js';
import { readSquadState, type SquadState } from '#core/squad/squad-state.js';
import { verifies } from '../../verifies.js';
import { after, catalog, confirm, memberWish, propose, teamOf, templates, textOf } from '../casting/stage.js';

const ALL = ['.claude/agents', '.github/agents', 'AGENTS.md'];
const CLAUDE = '.claude/agents/neo.md';
const GITHUB = '.github/agents/neo.agent.md';
const COORDINATOR = '.github/agents/squad-agentweaver.agent.md';

const change = (state: SquadState, texts: Readonly<Record<string, string>>) =>
  readSquadState(new Map([...state.texts, ...Object.entries(texts)]));
const without = (state: SquadState, ...paths: string[]) =>
  readSquadState(new Map([...state.texts].filter(([path]) => !paths.includes(path))));
const render = (state: SquadState) =>
  planRender({ state, catalog, templates, project: 'zion', clientFiles: 'configured' });
const rendered = (state: SquadState) => after(state, render(state).changes);
const drifts = (state: { texts: ReadonlyMap<string, string> }) => driftsOf(state.texts, catalog, 'zion');
/** A team whose config asks for all outputs, with some files of the user's own beside. */
function teamWith(outputs: readonly string[], own: Readonly<Record<string, string>> = {}): SquadState {
  const state = change(teamOf('lead-architect', 'writer'), {
    ...own,
    '.squad/config.json': JSON.stringify({ version: 1, outputs }),
  });
  return rendered(state);
}

verifies('outputs.members', 'each active member has a file for each client, with front matter and charter', () => {
  const state = teamWith(ALL);
  for (const file of [CLAUDE, GITHUB]) {
    const text = textOf(state, file);
    const [, front = '', body = ''] = /^---\n([\s\S]*?)---\n\n([\s\S]*)$/.exec(text) ?? [];
    expect(parse(front)).toEqual({
      name: 'neo',
      description: 'Lead Architect of this team. Lead Architect of the team.',
    });
    expect(body).toMatch(/^<!-- troupe:generated sha256:[0-9a-f]{64} -->\n\n# Neo — Lead Architect/);
    expect(body.endsWith(textOf(state, '.squad/agents/neo/charter.md'))).toBe(true);
  }
  for (const builtIn of ['scribe', 'ralph', 'rai', 'coordinator'])
    for (const file of [`.claude/agents/${builtIn}.md`, `.github/agents/${builtIn}.agent.md`])
      expect(state.texts.has(file), file).toBe(false);
  const block = textOf(state, 'AGENTS.md');
  expect(block).toMatch(/^<!-- troupe:begin -->\n<!-- troupe:generated sha256:[0-9a-f]{64} -->\n/);
  expect(block).toContain('| Neo | Lead Architect | `.squad/agents/neo/charter.md` |');
  expect(block.endsWith('<!-- troupe:end -->\n')).toBe(true);
});

verifies(
  ['outputs.members', 'squad.said'],
  'only when a person says so is anything written for clients: for those used here, else for all',
  () => {
    const cast = (texts: Record<string, string>, clientFiles: ClientFiles = 'wanted') => {
      const state = readSquadState(new Map(Object.entries(texts)));
      const proposal = propose(['writer'], { state, universe: 'The Matrix' });
      const { changes, result } = confirm(proposal, state, { clientFiles });
      const made = after(state, changes);
      // What was named before, and what is named after, is what there is outside of the folder.
      const outside = [...made.texts.keys()].filter((path) => !path.startsWith('.squad/') && !path.endsWith('/'));
      const named = [...proposal.outside, ...(clientFiles === 'wanted' ? proposal.client_files : [])];
      expect([...named].sort()).toEqual([...outside, '.workgraph/'].sort());
      expect([...result.outside].sort()).toEqual([...outside, '.workgraph/'].sort());
      return made;
    };
    const outputs = (state: SquadState) =>
      (JSON.parse(textOf(state, '.squad/config.json')) as { outputs: string[] }).outputs;
    expect(outputs(cast({}, 'configured'))).toEqual([]);
    expect(outputs(cast({}))).toEqual(ALL);
    for (const own of ['configured', 'untouched'] as const) cast({ '.claude/': '', '.github/agents/': '' }, own);
    const used = cast({ '.claude/': '', 'AGENTS.md': '# Ours\n' });
    expect(outputs(used)).toEqual(['.claude/agents', 'AGENTS.md']);
    expect(used.texts.has(CLAUDE)).toBe(true);
    expect(used.texts.has(GITHUB)).toBe(false);
    expect(outputs(cast({ '.github/agents/': '' }))).toEqual(['.github/agents']);
    const before = teamOf('writer');
    const later = after(
      before,
      planRender({ state: before, catalog, templates, project: 'zion', clientFiles: 'wanted' }).changes,
    );
    expect(later.texts.has(COORDINATOR)).toBe(true);
    expect(drifts(later)).toEqual([]);
    const odd = change(teamOf('writer'), { '.squad/config.json': '{"outputs":["nonsense",7]}' });
    expect(render(odd).changes).toEqual([]);
  },
);

verifies(
  ['outputs.members', 'outputs.safe', 'squad.keep'],
  'they follow rerole, rename and retirement; what was edited stays, or is kept where it is written anew',
  () => {
    const before = teamWith(ALL);
    const rerolled = after(before, reroleMember(memberWish(before), 'Trinity', 'qa-engineer').changes);
    expect(textOf(rerolled, '.claude/agents/trinity.md')).toContain('# Trinity — QA Engineer');
    expect(textOf(rerolled, 'AGENTS.md')).toContain('| Trinity | QA Engineer |');
    const renamed = after(before, renameMember(memberWish(before), 'Neo', 'Thomas').changes);
    expect(renamed.texts.has(CLAUDE)).toBe(false);
    expect(textOf(renamed, '.claude/agents/thomas.md')).toContain('name: thomas');
    const gone = after(before, retireOne(memberWish(before), 'Trinity').changes);
    expect(gone.texts.has('.claude/agents/trinity.md')).toBe(false);
    expect(gone.texts.has('.github/agents/trinity.agent.md')).toBe(false);
    expect(textOf(gone, 'AGENTS.md')).not.toContain('Trinity');
    const edited = change(before, {
      '.claude/agents/trinity.md': `${textOf(before, '.claude/agents/trinity.md')}mine\n`,
    });
    const anew = after(edited, reroleMember(memberWish(edited), 'Trinity', 'qa-engineer').changes);
    expect(textOf(anew, '.claude/agents/trinity.md')).not.toContain('mine');
    const aside = [...anew.texts].filter(([file]) => file.startsWith('.squad/outputs/'));
    expect(aside.map(([, text]) => text)).toEqual([textOf(edited, '.claude/agents/trinity.md')]);
    const left = after(edited, retireOne(memberWish(edited), 'Trinity').changes);
    expect(textOf(left, '.claude/agents/trinity.md').endsWith('mine\n')).toBe(true);
  },
);

verifies(
  'outputs.safe',
  'a file without our mark is never overwritten or removed, text outside the block stays',
  () => {
    const own = {
      [CLAUDE]: '---\nname: neo\n---\n\nmine\n',
      '.claude/agents/morpheus.md': 'mine too\n',
      [COORDINATOR]: 'and this\n',
      'AGENTS.md': '\ufeff# Agents\r\n\r\nOur rules.',
    };
    const state = teamWith(ALL, own);
    expect(textOf(state, CLAUDE)).toBe(own[CLAUDE]);
    expect(textOf(state, GITHUB)).not.toBe('');
    const grown = after(state, addCastMember(memberWish(state), 'qa-engineer').changes);
    expect(textOf(grown, '.claude/agents/morpheus.md')).toBe('mine too\n');
    const gone = after(grown, retireOne(memberWish(grown), 'Morpheus').changes);
    expect(textOf(gone, '.claude/agents/morpheus.md')).toBe('mine too\n');
    expect(textOf(gone, COORDINATOR)).toBe(own[COORDINATOR]);
    expect(textOf(gone, 'AGENTS.md').startsWith(`${own['AGENTS.md']}\n\n<!-- troupe:begin -->\n`)).toBe(true);
    const around = change(gone, { 'AGENTS.md': `top\n${textOf(gone, 'AGENTS.md').slice(24)}bottom` });
    const again = after(around, addCastMember(memberWish(around), 'writer').changes);
    expect(textOf(again, 'AGENTS.md')).toMatch(/^top\n[\s\S]*Tank[\s\S]*<!-- troupe:end -->\nbottom$/);
  },
);

verifies('outputs.safe', 'a block that lost its beginning or end is an error, and nothing is written', () => {
  const state = teamWith(ALL);
  const block = textOf(state, 'AGENTS.md');
  for (const broken of [
    block.replace('<!-- troupe:end -->', ''),
    block.replace('<!-- troupe:begin -->', ''),
    `${block}\n${block}`,
    '<!-- troupe:end -->\n<!-- troupe:begin -->\n',
  ]) {
    const bad = change(state, { 'AGENTS.md': broken });
    expect(() => addCastMember(memberWish(bad), 'writer')).toThrow(
      expect.objectContaining({ code: 'marker_unpaired' }),
    );
    expect(drifts(bad)).toEqual([expect.objectContaining({ kind: 'outputs', file: 'AGENTS.md' })]);
  }
  const binary = change(state, { 'AGENTS.md': 'caf\ufffd\n' });
  expect(() => addCastMember(memberWish(binary), 'writer')).toThrow(expect.objectContaining({ code: 'not_text' }));
});

const ROUTING_HEAD =
  '# Routing\n\nWork goes to the member whose line fits it best. What fits no line goes to the Coordinator.\n\n';

verifies('squad.check', 'a fresh team has no drift; each kind of drift is one line, and rendering repairs it', () => {
  const state = teamWith(ALL);
  expect(drifts(state)).toEqual([]);
  expect(render(state).changes).toEqual([]);
  const cases: readonly (readonly [string, string, string | undefined])[] = [
    ['json', '.squad/casting/registry.json', '{"agents":{}}\n'],
    ['json', '.squad/casting/history.json', undefined],
    ['markdown', '.squad/routing.md', 'gone\n'],
    ['markdown', '.squad/agents/neo/charter.md', undefined],
    ['outputs', CLAUDE, undefined],
    ['outputs', GITHUB, textOf(state, GITHUB).replace('# Neo', '# Agent Smith')],
    ['outputs', 'AGENTS.md', textOf(state, 'AGENTS.md').replace('| Neo |', '| Smith |')],
    ['outputs', COORDINATOR, undefined],
  ];
  for (const [kind, file, text] of cases) {
    const drifted = text === undefined ? without(state, file) : change(state, { [file]: text });
    expect(drifts(drifted), file).toEqual([expect.objectContaining({ kind, file })]);
    const mended = rendered(drifted);
    // What somebody wrote instead of ours goes on above it.
    expect(mended.texts.get(file)?.replace(/^gone\n\n/, ROUTING_HEAD), file).toBe(textOf(state, file));
    expect(drifts(mended)).toEqual([]);
  }
});

verifies('squad.check', 'layout, clashes and bad lines are told of, also where nothing else may be read', () => {
  const state = teamWith([]);
  const events = '.squad/casting/registry.events.jsonl';
  const bad = change(state, { [events]: `${textOf(state, events)}{"half":\n` });
  expect(drifts(bad)).toEqual([{ kind: 'bad-line', file: events, message: 'line 7 cannot be parsed' }]);
  const flat = '{"agents":{"mal":{"persistent_name":"Mal"}}}';
  const conflict = withChanges(state.texts, [{ kind: 'write', path: '.squad/casting-registry.json', text: flat }]);
  expect(drifts({ texts: conflict })).toEqual([expect.objectContaining({ kind: 'layout', file: events })]);
  expect(drifts({ texts: new Map([['.squad/casting-registry.json', flat]]) })).toEqual([
    expect.objectContaining({ kind: 'layout', file: '.squad/casting-registry.json' }),
  ]);
  const twice = `${textOf(state, events)}${JSON.stringify({ eventId: 'z', rev: 1, name: 'neo', status: 'Active', roleTitle: 'Smith' })}\n`;
  expect(drifts(change(state, { [events]: twice }))).toEqual([
    expect.objectContaining({ kind: 'clash', message: expect.stringContaining('z (Smith)') }),
  ]);
  expect(drifts({ texts: new Map() })).toEqual([]);
});

verifies('squad.state-wins', 'a row changed by hand changes nobody; it is shown, and rendered away', () => {
  const state = teamWith([]);
  const edited = textOf(state, '.squad/team.md')
    .replace('| Neo | Lead Architect |', '| Neo | Emperor |')
    .replace('| Trinity | Writer |', '| Trinity | Writer | x |');
  const drifted = change(state, { '.squad/team.md': edited });
  expect(drifted.registry.records).toEqual(state.registry.records);
  expect(drifts(drifted)).toEqual([
    { kind: 'markdown', file: '.squad/team.md', message: 'has rows the registry does not: Neo, Trinity' },
  ]);
  expect(textOf(rendered(drifted), '.squad/team.md')).toBe(textOf(state, '.squad/team.md'));
  const notes = change(state, { '.squad/team.md': `${textOf(state, '.squad/team.md')}## Notes\n\nOurs.\n` });
  expect(textOf(rendered(notes), '.squad/team.md')).toContain('## Notes\n\nOurs.');
  const removed = change(state, { '.squad/team.md': textOf(state, '.squad/team.md').replace(/^\| Trinity.*\n/m, '') });
  expect(drifts(removed)[0]?.message).toBe('lacks current members');
});
