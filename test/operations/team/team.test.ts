import { cpSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { addTask } from '#core/graph/add.js';
import { confirm } from '#operations/squad/confirm.js';
import { decisionAdd, decisionList } from '#operations/squad/decisions.js';
import { add, rename, rerole, restore, retire, show } from '#operations/squad/members.js';
import { list } from '#operations/squad/memories.js';
import { manual } from '#operations/squad/proposals.js';
import { universes } from '#operations/squad/sources.js';
import { check, migrate, render } from '#operations/squad/team-files.js';
import { choiceOf } from '#operations/workflows/policy.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { START, Stage, team } from './casting-stage.js';

const FIXTURES = path.resolve(import.meta.dirname, '../../fixtures/squads');
const coded = (code: string) => expect.objectContaining({ code });

async function cast(stage: Stage, ...archetypes: string[]): Promise<void> {
  await stage.call(manual, { archetypes, universe: 'The Matrix' });
  await stage.call(confirm);
}

/** A project with the files of another tool. */
function foreign(name: string): Stage {
  const stage = new Stage();
  cpSync(path.join(FIXTURES, name), stage.folder, { recursive: true });
  return stage;
}

verifies(['member.add', 'squad.check'], 'cast, add, check: the files say what the events say', async () => {
  const stage = new Stage();
  expect((await stage.call(check)).layout).toBe('absent');
  await expect(stage.call(add, { archetype: 'writer' })).rejects.toThrow(coded('no_team'));
  await cast(stage, 'lead-architect', 'writer');
  const added = await stage.call(add, { archetype: 'qa-engineer' });
  expect(added).toMatchObject({ changed: true, member: { name: 'Morpheus', role_title: 'QA Engineer' } });
  expect(stage.files()['.squad/routing.md']).toContain('| Morpheus |');
  expect(await stage.call(check)).toEqual({
    ok: true,
    layout: 'canonical',
    dialect: 'A',
    migration_available: false,
    drifts: [],
  });
  await expect(stage.call(add, { archetype: 'plumber' })).rejects.toThrow(coded('unknown_archetype'));
});

verifies('member.retire', 'tasks that are not over lose the member who left, others keep theirs', async () => {
  const stage = new Stage();
  const store = new GraphInMemory({ now: () => stage.now });
  stage.store = store;
  await cast(stage, 'lead-architect', 'writer');
  const now = START;
  for (const [id, member] of [
    ['write-it', 'Trinity'],
    ['old-work', 'Trinity'],
    ['lead-it', 'Neo'],
  ] as const) {
    await store.commit((view) => addTask(view, { id, title: id, member }, { now, by: { name: 'ann' } }));
  }
  await store.commit((view) => ({
    events: [{ op: 'done', task_id: 'old-work', actor: 'ann', patch: [{ id: 'old-work', set: { status: 'done' } }] }],
    result: view.seq,
  }));
  const gone = await stage.call(retire, { member: 'trinity' });
  expect(gone).toMatchObject({ changed: true, tasks: ['write-it'], member: { name: 'Trinity', status: 'Retired' } });
  const view = await store.view();
  expect(view.task('write-it')?.member).toBeUndefined();
  expect(view.task('write-it')?.log?.at(-1)?.message).toBe('Trinity left the team');
  expect(view.task('old-work')?.member).toBe('Trinity');
  expect(view.task('lead-it')?.member).toBe('Neo');
  expect(await stage.call(retire, { member: 'Trinity' })).toMatchObject({ changed: false, tasks: [] });
  await expect(stage.call(retire, { member: 'Neo' })).rejects.toThrow(coded('leader_needed'));
  await expect(stage.call(retire, { member: 'Rai' })).rejects.toThrow(coded('builtin_member'));
});

verifies(['member.rerole', 'member.restore'], 'another role, gone, back, renamed: one id through it all', async () => {
  const stage = new Stage();
  const store = new GraphInMemory({ now: () => stage.now });
  stage.store = store;
  await cast(stage, 'lead-architect', 'writer');
  const before = await stage.call(show, { member: 'trinity' });
  const task = { id: 'mine', title: 'Mine', member: 'Trinity' };
  await store.commit((view) => addTask(view, task, { now: START, by: { name: 'ann' } }));
  await stage.call(rerole, { member: 'Trinity', archetype: 'editor' });
  await stage.call(retire, { member: 'Trinity' });
  await stage.call(restore, { member: 'Trinity' });
  const renamed = await stage.call(rename, { member: 'Trinity', name: 'Switchboard' });
  expect(renamed).toMatchObject({ previous_name: 'Trinity', tasks: [], member: { archetype_id: 'editor' } });
  const after = await stage.call(show, { member: 'Switchboard' });
  expect(after.member.member_id).toBe(before.member.member_id);
  expect(after).toMatchObject({ previous_name: 'Trinity', created_at: before.created_at, leads: false });
  expect(after.charter).toContain('# Switchboard — ');
  expect(after.history).toContain('# History of Trinity');
  expect((await stage.call(show, { member: 'Trinity' })).succeeded_by).toBe('Switchboard');
  await expect(stage.call(rename, { member: 'Neo', name: 'Trinity' })).rejects.toThrow(coded('name_invalid'));
  expect((await stage.call(check)).drifts).toEqual([]);
});

verifies('squad.dialect.write', 'state of another tool is shown, and changed only after it was migrated', async () => {
  for (const name of ['snake', 'wildcard', 'flat']) {
    const stage = foreign(name);
    const before = stage.files();
    const shown = await stage.call(team);
    expect(shown.members.length, name).toBeGreaterThan(1);
    await stage.call(manual, { archetypes: ['writer'] });
    const member = shown.members[0]?.name ?? '';
    for (const refused of [
      () => stage.call(add, { archetype: 'writer' }),
      () => stage.call(retire, { member }),
      () => stage.call(rename, { member, name: 'Smith' }),
      () => stage.call(render),
      () => stage.call(confirm, { intent: 'augment' }),
    ]) {
      await expect(refused(), name).rejects.toThrow(coded('migration_required'));
    }
    expect((await stage.call(check)).ok).toBe(false);
    expect(stage.files()).toEqual(before);
  }
});

verifies(['squad.migrate', 'squad.check'], 'migrated, the other tool’s team goes on under our name', async () => {
  const stage = foreign('snake');
  const before = stage.files();
  const dry = await stage.call(migrate, { dry_run: true });
  expect(dry).toMatchObject({ dialect: 'B', dry_run: true, changed: false, members: 3 });
  expect(stage.files()).toEqual(before);
  const real = await stage.call(migrate);
  expect(real).toMatchObject({ changed: true, written: dry.written, moved: dry.moved });
  const files = stage.files();
  for (const { from, to } of real.moved) {
    expect(files[from] === undefined || real.written.includes(from)).toBe(true);
    expect(files[to]).toBe(before[from]);
  }
  expect(await stage.call(migrate)).toMatchObject({ changed: false, moved: [], written: [] });
  expect(stage.files()).toEqual(files);
  await stage.call(render);
  expect(await stage.call(check)).toMatchObject({ ok: true, layout: 'canonical', dialect: 'A' });
  const added = await stage.call(add, { archetype: 'qa-engineer' });
  expect(['Ripley', 'Dallas', 'Ash', 'Kane', 'Lambert']).not.toContain(added.member.name);
});

verifies(
  ['squad.conflict', 'squad.migrate'],
  'two states that each know somebody: whatever is about the team is refused but check and migrate',
  async () => {
    const stage = foreign('flat');
    const other = new Stage();
    await cast(other, 'writer');
    cpSync(path.join(other.folder, '.squad'), path.join(stage.folder, '.squad'), { recursive: true });
    const before = stage.files();
    for (const refused of [
      () => stage.call(team),
      () => stage.call(add, { archetype: 'writer' }),
      () => stage.call(manual, { archetypes: ['writer'] }),
      () => stage.call(render),
      () => stage.call(migrate),
    ]) {
      await expect(refused()).rejects.toThrow(coded('layout_conflict'));
    }
    const checked = await stage.call(check);
    expect(checked).toMatchObject({ ok: false, layout: 'conflict' });
    expect(checked.drifts.map((drift) => drift.kind)).toEqual(['layout']);
    expect(stage.files()).toEqual(before);
    expect(await stage.call(migrate, { keep: 'canonical' })).toMatchObject({ changed: true, layout: 'conflict' });
    expect((await stage.call(team)).members.map((member) => member.name)).toContain('Neo');
    await stage.call(render);
    expect((await stage.call(check)).drifts).toEqual([]);
  },
);

verifies('squad.member-id', 'after a merge a name is given to one of two by the event it began with', async () => {
  const stage = new Stage();
  await cast(stage, 'lead-architect');
  await stage.call(add, { archetype: 'writer' });
  const events = path.join(stage.folder, '.squad/casting/registry.events.jsonl');
  const line = { eventId: 'their-own', rev: 1, name: 'Trinity', archetypeId: 'editor', status: 'Active' };
  writeFileSync(events, `${stage.files()['.squad/casting/registry.events.jsonl']}${JSON.stringify(line)}\n`);
  await expect(stage.call(add, { archetype: 'writer' })).rejects.toThrow(coded('name_clash'));
  const checked = await stage.call(check);
  expect(checked.drifts[0]).toMatchObject({ kind: 'clash', message: expect.stringContaining('their-own') });
  await expect(stage.call(rename, { member: 'Trinity', name: 'Dozer' })).rejects.toThrow(coded('name_clash'));
  const renamed = await stage.call(rename, { member: 'their-own', name: 'Dozer' });
  expect(renamed).toMatchObject({ previous_name: 'Trinity', member: { name: 'Dozer', archetype_id: 'editor' } });
  expect((await stage.call(check)).drifts).toEqual([]);
  expect((await stage.call(add, { archetype: 'writer' })).member.name).toBe('Morpheus');
});

verifies(
  ['outputs.members', 'outputs.safe'],
  'files for clients appear where the settings want them and the client is used, never through a link',
  async () => {
    const stage = new Stage();
    mkdirSync(path.join(stage.folder, '.claude/agents'), { recursive: true });
    writeFileSync(path.join(stage.folder, '.claude/agents/trinity.md'), 'mine\n');
    writeFileSync(path.join(stage.folder, 'AGENTS.md'), '# Rules\n');
    stage.settings = { casting: { client_files: true } };
    await cast(stage, 'lead-architect', 'writer');
    const files = stage.files();
    expect(files['.claude/agents/neo.md']).toContain('troupe:generated');
    expect(files['.claude/agents/trinity.md']).toBe('mine\n');
    expect(files['AGENTS.md']).toMatch(/^# Rules\n\n<!-- troupe:begin -->/);
    rmSync(path.join(stage.folder, '.claude/agents/neo.md'));
    expect((await stage.call(check)).drifts).toEqual([
      { kind: 'outputs', file: '.claude/agents/neo.md', message: 'is missing' },
    ]);
    expect((await stage.call(render)).written).toEqual(['.claude/agents/neo.md']);
    expect(stage.files()).toEqual(files);
    const outside = new Stage();
    rmSync(path.join(stage.folder, '.claude/agents'), { recursive: true });
    symlinkSync(outside.folder, path.join(stage.folder, '.claude/agents'));
    await expect(stage.call(add, { archetype: 'qa-engineer' })).rejects.toThrow(coded('unsafe_path'));
    expect(outside.files()).toEqual({});
    expect((await stage.call(team)).members.map((member) => member.name)).not.toContain('Morpheus');
  },
);

/** The same team in a folder of another name, as `git clone` or `git worktree add` leave it. */
function copyOf(stage: Stage, name: string): Stage {
  const copy = new Stage(path.join(room('elsewhere'), name));
  cpSync(stage.folder, copy.folder, { recursive: true, filter: (file) => !file.includes('.workgraph') });
  return copy;
}

verifies(
  'squad.name',
  'the project is called what team.md says, in a clone of another name too, and nothing is written for it',
  async () => {
    const stage = new Stage(path.join(room('project'), 'book'));
    await cast(stage, 'lead-architect', 'writer');
    expect((await stage.call(team)).project).toBe('book');
    const clone = copyOf(stage, 'book-2');
    const before = clone.files();
    expect(await clone.call(check)).toMatchObject({ ok: true, drifts: [] });
    expect(await clone.call(render)).toEqual({ written: [], removed: [] });
    expect(clone.files()).toEqual(before);
    expect((await clone.call(team)).project).toBe('book');

    const text = before['.squad/team.md'] ?? '';
    writeFileSync(
      path.join(clone.folder, '.squad/team.md'),
      text.replace('- **Project:** book', '- **Project:** Atlas'),
    );
    expect((await clone.call(team)).project).toBe('Atlas');
    await clone.call(add, { archetype: 'qa-engineer' });
    expect(clone.files()['.squad/team.md']).toMatch(/^> Atlas$[\s\S]*^- \*\*Project:\*\* Atlas$/m);
  },
);

verifies(
  'squad.name',
  'rows and files that say the same in another layout are no drift and stay as they are',
  async () => {
    const stage = new Stage();
    await cast(stage, 'lead-architect', 'writer');
    const at = (file: string) => path.join(stage.folder, '.squad', file);
    const change = (file: string, by: (text: string) => string) =>
      writeFileSync(at(file), by(Buffer.from(stage.files()[`.squad/${file}`] ?? '', 'latin1').toString()));
    change('team.md', (text) =>
      text
        .replace(/^\| (\w+) \| (.*?) \| `(.*?)` \|/gm, '|  $1   |$2| [$3](agents)  |')
        .replace(/^- \*\*/gm, '* **')
        .replaceAll('\n', '\r\n'),
    );
    change('routing.md', (text) => text.replaceAll('| --- | --- |', '|:-----|------:|'));
    change('casting/registry.json', (text) => JSON.stringify(JSON.parse(text)));
    const before = stage.files();
    expect(await stage.call(check)).toMatchObject({ ok: true, drifts: [] });
    expect(await stage.call(render)).toEqual({ written: [], removed: [] });
    expect(stage.files()).toEqual(before);
    change('team.md', (text) => text.replace('Writer', 'Poet'));
    expect((await stage.call(check)).drifts.map(({ file }) => file)).toEqual(['.squad/team.md']);
  },
);

verifies(
  'squad.keep',
  'what people wrote stays: beside our part of routing.md, in team.md, in charters and files of others',
  async () => {
    const stage = new Stage();
    const put = (file: string, text: string) => {
      mkdirSync(path.dirname(path.join(stage.folder, file)), { recursive: true });
      writeFileSync(path.join(stage.folder, file), text);
    };
    const text = (file: string) => Buffer.from(stage.files()[file] ?? '', 'latin1').toString();
    const routing = '# Our routing\n\n| Bugs | Ann |\n';
    put('.squad/routing.md', routing);
    put('.squad/team.md', '# Our people\n\nAnn, and sometimes Ben.\n');
    put('.squad/agents/neo/charter.md', '# Neo, of another tool\n');
    put('.squad/agents/Scribe/charter.md', '# Scribe, in our words\n');
    put('.squad/agents/Scribe/history.md', 'Much.\n');
    await cast(stage, 'lead-architect', 'writer');
    // Files without our marks are taken over, and kept beside; a built-in member that is there stays who it is.
    expect(text('.squad/routing.prev.md')).toBe(routing);
    expect(text('.squad/team.prev.md')).toBe('# Our people\n\nAnn, and sometimes Ben.\n');
    expect(text('.squad/agents/neo/charter.prev.md')).toBe('# Neo, of another tool\n');
    expect(text('.squad/agents/neo/charter.md')).toContain('# Neo — Lead Architect');
    expect(text('.squad/agents/Scribe/charter.md')).toBe('# Scribe, in our words\n');
    expect(text('.squad/agents/Scribe/history.md')).toBe('Much.\n');
    expect(Object.keys(stage.files()).filter((file) => file.startsWith('.squad/agents/scribe/'))).toEqual([]);
    expect(text('.squad/team.md')).toContain('`.squad/agents/Scribe/charter.md`');
    expect(await stage.call(check)).toMatchObject({ ok: true });

    put('.squad/routing.md', `Ours above.\n\n${text('.squad/routing.md')}\nOurs below.\n`);
    put(
      '.squad/team.md',
      text('.squad/team.md')
        .replace('## Coordinator', 'A word to all.\n\n## Coordinator')
        .replace('## Project Context', 'Neo is on leave.\n\n## Project Context'),
    );
    expect(await stage.call(check)).toMatchObject({ ok: true });
    await stage.call(add, { archetype: 'qa-engineer' });
    expect(text('.squad/routing.md')).toMatch(/^Ours above\.\n[\s\S]*\| Morpheus \|[\s\S]*\nOurs below\.\n$/);
    expect(text('.squad/team.md')).toMatch(
      /A word to all\.[\s\S]*## Coordinator[\s\S]*Neo is on leave\.[\s\S]*## Project/,
    );
    expect(text('.squad/routing.prev.md')).toBe(routing);
    put('.squad/agents/trinity/charter.md', 'Trinity, by hand.\n');
    await stage.call(rerole, { member: 'Trinity', archetype: 'editor' });
    expect(text('.squad/agents/trinity/charter.prev.md')).toBe('Trinity, by hand.\n');
    put('.squad/agents/trinity/charter.md', 'Trinity, again.\n');
    await stage.call(rerole, { member: 'Trinity', archetype: 'writer' });
    expect(text('.squad/agents/trinity/charter.prev.md')).toBe('Trinity, by hand.\n');
    expect(Object.values(stage.files())).toContain('Trinity, again.\n');
  },
);

verifies(
  'squad.adopt',
  'a team that is only Markdown is shown, taken in with names and charters, and goes on',
  async () => {
    const stage = foreign('markdown');
    const before = stage.files();
    const shown = await stage.call(team);
    expect(shown).toMatchObject({ project: 'paperback', universe: 'descriptive' });
    expect(shown.members.map(({ name, status, built_in }) => [name, status, built_in])).toEqual([
      ['Keaton', 'Active', false],
      ['Fenster', 'Active', false],
      ['Hockney', 'Active', false],
      ['Scribe', 'Active', true],
      ['Redfoot', 'Retired', false],
    ]);
    expect((await stage.call(show, { member: 'keaton' })).charter).toContain('Decides.');
    expect((await stage.call(check)).drifts).toEqual([
      expect.objectContaining({ kind: 'layout', file: '.squad/team.md' }),
    ]);
    await expect(stage.call(add, { archetype: 'writer' })).rejects.toThrow(coded('migration_required'));
    expect(await stage.call(migrate, { dry_run: true })).toMatchObject({ changed: false, members: 5, dialect: 'E' });
    expect(stage.files()).toEqual(before);

    const migrated = await stage.call(migrate);
    expect(migrated).toMatchObject({ changed: true, members: 5, moved: [], copied: [{ from: '.squad/team.md' }] });
    const files = stage.files();
    expect(files[migrated.copied[0]?.to ?? '']).toBe(before['.squad/team.md']);
    for (const file of ['.squad/team.md', '.squad/routing.md', '.squad/agents/Keaton/charter.md'])
      expect(files[file]).toBe(before[file]);
    expect(files['.squad/agents/hockney/charter.md']).toBe(before['.squad/agents/tester/charter.md']);
    expect((await stage.call(team)).members.map(({ name }) => name)).toEqual(shown.members.map(({ name }) => name));
    await stage.call(add, { archetype: 'writer' });
    const later = await stage.call(team);
    expect(later.members.map(({ name }) => name)).toContain('writer');
    await expect(stage.call(rename, { member: 'Fenster', name: 'Redfoot' })).rejects.toThrow(coded('name_invalid'));
    expect((await stage.call(show, { member: 'Keaton' })).charter).toContain('Decides.');
    expect(stage.files()['.squad/routing.prev.md']).toBe(before['.squad/routing.md']);
    for (const words of ['> A shop for used books', '| Squad | Coordinator | Hands out work, does none of it. |'])
      expect(stage.files()['.squad/team.md']).toContain(words);
    expect((await stage.call(check)).drifts).toEqual([]);
    expect(await stage.call(migrate)).toMatchObject({ changed: false, copied: [] });
  },
);

verifies('squad.adopt', 'a team in .ai-team is taken over into .squad, and what lies there stays', async () => {
  const stage = foreign('ai-team');
  const before = stage.files();
  const names = async () => (await stage.call(team)).members.map(({ name }) => name);
  expect(await names()).toEqual(['Mal', 'Zoe']);
  await expect(stage.call(add, { archetype: 'writer' })).rejects.toThrow(coded('migration_required'));
  expect(stage.files()).toEqual(before);
  expect(await stage.call(migrate)).toMatchObject({ changed: true, members: 2 });
  const after = stage.files();
  for (const [file, text] of Object.entries(before)) expect(after[file], file).toBe(text);
  for (const file of ['agents/mal/charter.md', 'agents/zoe/charter.md', 'decisions.md', 'team.md'])
    expect(after[`.squad/${file}`], file).toBe(before[`.ai-team/${file}`]);
  expect(await names()).toEqual(['Mal', 'Zoe']);
  const { member } = await stage.call(add, { archetype: 'writer' });
  expect(member.name).toBe('Wash');
  expect((await stage.call(team)).universe).toBe('Firefly');
});

verifies('squad.conflict', 'two layouts disagree only where each knows somebody the other does not', async () => {
  const stage = foreign('flat');
  const registry = path.join(stage.folder, '.squad/casting-registry.json');
  const { agents } = JSON.parse(Buffer.from(stage.files()['.squad/casting-registry.json'] ?? '', 'latin1').toString());
  const put = (file: string, value: unknown) => writeFileSync(file, JSON.stringify(value));
  const canonical = path.join(stage.folder, '.squad/casting/registry.json');
  mkdirSync(path.dirname(canonical), { recursive: true });
  const names = async () => (await stage.call(team)).members.map(({ name }) => name);
  const all = await names();
  const [one = '', ...others] = Object.keys(agents);
  // Whoever knows more is followed, whichever it is; other words about the same people are no conflict.
  put(canonical, { agents: { [one]: agents[one] } });
  expect(await names()).toEqual(all);
  put(canonical, { agents: { ...agents, newcomer: { persistent_name: 'Newcomer' } } });
  expect(await names()).toContain('Newcomer');
  put(canonical, {
    agents: {
      [one]: { ...agents[one], status: 'retired' },
      ...Object.fromEntries(others.map((key) => [key, agents[key]])),
    },
  });
  expect((await names()).sort()).toEqual([...all].sort());
  expect((await stage.call(check)).layout).toBe('canonical');

  put(canonical, { agents: { newcomer: { persistent_name: 'Newcomer' } } });
  await expect(stage.call(team)).rejects.toThrow(coded('layout_conflict'));
  expect((await stage.call(check)).layout).toBe('conflict');
  // What needs no team goes on.
  expect((await stage.call(universes)).universes.length).toBeGreaterThan(0);
  expect((await stage.call(list)).memories).toEqual([]);
  expect(await stage.call(decisionAdd, { title: 'One store' })).toMatchObject({ number: 1 });
  expect((await stage.call(decisionList)).decisions).toHaveLength(1);
  expect(await choiceOf(stage.context())).toBeDefined();
  expect(registry).toBeDefined();
});
