import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { parse } from 'yaml';
import { Agency } from '#core/agency/agency.js';
import type { Agent } from '#core/agency/entities.js';
import { newAgent } from '#core/agency/entity-edits.js';
import { notesByTask } from '#core/agency/list-evaluations.js';
import { performanceFrom } from '#core/agency/read.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { assign } from '#operations/agency/assign.js';
import { agencyTrust, agentCreate } from '#operations/agency/entities.js';
import { agencyList, agencyShow, match } from '#operations/agency/look.js';
import { agencyPull, agencyPush, agencyScan } from '#operations/agency/pull.js';
import { remoteAdd, remoteList, remoteRemove, remoteShow } from '#operations/agency/remotes.js';
import { loadAgency } from '#operations/load-agency.js';
import { MAKER, role, tradeoff } from '../../core/agency/people.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { fill, names, twoProjects } from './two-projects.js';

const coded = (code: string) => expect.objectContaining({ code });
const [writer, tester] = [
  role('Writer'),
  role('Tester', { skills: [{ file: 'secret.md' }, { url: 'https://a.b/c' }] }),
];
const careful = tradeoff('Careful');
const agentOf = (more: Partial<Agent> = {}): Agent => ({
  ...newAgent(
    new Agency([]),
    {
      name: 'Pro',
      capabilities: ['rust'],
      trust_level: 'verified',
      executor: 'claude',
      role_id: writer.id,
      tradeoff_id: careful.id,
    },
    false,
    MAKER,
  ),
  ...more,
});
const scored = (...tasks: readonly string[]) =>
  performanceFrom(
    tasks.map((task_id, at) => ({
      ...{ score: 0.5, task_id, timestamp: `2026-01-0${task_id.slice(1)}T00:00:00.000Z`, context_id: `c${at}` },
    })),
  );
const tree = (folder: string) => {
  const top = path.join(folder, '.workgraph/agency');
  return readdirSync(top, { recursive: true, encoding: 'utf8' }).sort();
};

verifies(
  'fed.remote',
  'remotes are kept by name in federation.yaml, as a project, its graph folder or an agency',
  async () => {
    const { here, there, close } = await twoProjects();
    await fill(there, [writer]);
    const added = await here.call(remoteAdd, { name: 'shared', path: there.project, description: 'Of all.' });
    expect(added).toMatchObject({ kind: 'project', remote: { name: 'shared', path: there.project } });
    const file = path.join(here.folder, 'federation.yaml');
    expect(parse(readFileSync(file, 'utf8'))).toEqual({
      remotes: { shared: { path: there.project, description: 'Of all.' } },
    });
    for (const [name, place] of [
      ['graph', there.folder],
      ['agency', path.join(there.folder, 'agency')],
    ])
      expect(await here.call(remoteAdd, { name, path: place })).toMatchObject({ remote: { path: there.project } });
    await expect(here.call(remoteAdd, { name: 'shared', path: there.project })).rejects.toThrow(coded('name_taken'));
    await expect(here.call(remoteAdd, { name: '../x', path: there.project })).rejects.toThrow(coded('bad_input'));
    await expect(here.call(remoteAdd, { name: 'me', path: here.project })).rejects.toThrow(coded('bad_input'));
    for (const place of [path.join(there.project, 'gone'), room()])
      await expect(here.call(remoteAdd, { name: 'x', path: place })).rejects.toThrow(coded('unreadable'));
    expect((await here.call(remoteList)).remotes.map(({ name }) => name)).toEqual(['agency', 'graph', 'shared']);
    await here.call(remoteRemove, { name: 'graph' });
    await expect(here.call(remoteShow, { name: 'graph' })).rejects.toThrow(coded('not_found'));
    expect(await here.call(remoteShow, { name: 'shared' })).toMatchObject({ kind: 'project' });
    for (const text of ['remotes: []\n', 'remotes: {a: {path: b}}\n', 'remotes: {a: 1}\n']) {
      writeFileSync(file, text);
      await expect(here.call(remoteList)).rejects.toThrow(coded('bad_config'));
    }
    writeFileSync(file, 'remotes: &a {b: *a}\n');
    await expect(here.call(remoteList)).rejects.toThrow(coded('unreadable'));
    await close();
  },
);

verifies(
  ['fed.scan', 'fed.pull'],
  'one looks before one takes; kinds and ids choose, and agents bring what they are made of',
  async () => {
    const { here, there, close } = await twoProjects();
    await fill(there, [{ ...writer, performance: scored('t1', 't2') }, tester, careful, agentOf()]);
    await here.call(remoteAdd, { name: 'shared', path: there.project });
    const before = [tree(there.project), tree(here.project)];
    const scan = await here.call(agencyScan, { from: 'shared' });
    expect(scan.entities.map(({ name, task_count, present }) => [name, task_count, present])).toContainEqual([
      'Writer',
      2,
      false,
    ]);
    expect(scan.entities).toHaveLength(4);
    const wished = async (input: object) =>
      names((await here.call(agencyPull, { from: 'shared', dry_run: true, ...input })).entities).map(
        (name) => name.split(' ')[1],
      );
    expect(await wished({ roles_only: true })).toEqual(['role', 'role']);
    expect(await wished({ tradeoffs_only: true })).toEqual(['tradeoff']);
    expect(await wished({ type: 'agent' })).toEqual(['agent', 'role', 'tradeoff']);
    expect(await wished({ ids: ['Pro'] })).toEqual(['agent', 'role', 'tradeoff']);
    expect(await wished({ ids: [tester.id.slice(0, 12)] })).toEqual(['role']);
    await expect(wished({ ids: ['Nobody'] })).rejects.toThrow(coded('not_found'));
    await expect(wished({ roles_only: true, type: 'agent' })).rejects.toThrow(coded('usage'));
    await expect(here.call(agencyPull, { from: 'nobody' })).rejects.toThrow(coded('not_found'));
    expect([tree(there.project), tree(here.project)]).toEqual(before);
    // the other way round, by the program of the other project; there too it waits
    await fill(here, [role('Editor')]);
    const pushed = await here.call(agencyPush, { to: 'shared', roles_only: true });
    expect(names(pushed.entities)).toEqual([expect.stringMatching(/^new role/)]);
    const theirs = await loadAgency({ agency: async () => there.agency, graph: async () => there.store });
    expect(theirs.waiting('role')).toMatchObject([{ name: 'Editor' }]);
    // and into an agency on its own
    const alone = room();
    mkdirSync(path.join(alone, 'roles'));
    expect((await here.call(agencyPush, { to: alone })).entities).toHaveLength(1);
    expect(await here.call(agencyPush, { to: alone })).toMatchObject({ entities: [], unchanged: 1 });
    expect((await there.call(agencyPull, { from: alone, dry_run: true })).unchanged).toBe(1);
    symlinkSync(room(), path.join(alone, 'tradeoffs'));
    await expect(here.call(agencyPush, { to: alone })).rejects.toThrow(coded('unsafe_path'));
    await close();
  },
);

verifies(
  ['fed.refs', 'fed.atomic'],
  'of an agent whose role is not there nothing is taken, and of nothing anything',
  async () => {
    const { here, there, close } = await twoProjects();
    await fill(here, [tester]);
    await fill(there, [tester, careful, agentOf()]);
    const before = tree(here.project);
    const refused = here.call(agencyPull, { from: there.project });
    await expect(refused).rejects.toThrow(coded('missing_dependency'));
    await expect(refused).rejects.toThrow(
      expect.objectContaining({ details: { agent: agentOf().id, kind: 'role', id: writer.id } }),
    );
    expect(tree(here.project)).toEqual(before);
    await close();
  },
);

verifies(
  ['fed.existing', 'fed.atomic'],
  'scores are united, a dry run says the very same, and a second pull writes nothing',
  async () => {
    const { here, there, close } = await twoProjects();
    const lineage = { ...writer.lineage, parent_ids: [tester.id], generation: 1 };
    await fill(here, [{ ...writer, name: 'Ours', performance: scored('t1', 't2') }]);
    const evaluation = (score: number) => ({
      ...{ kind: 'evaluation' as const, id: 'e1' },
      text: `id: e1\ntask_id: t3\nscore: ${score}\nnotes: n\nevaluator: x\nsource: llm\ntimestamp: "2026-01-01T00:00:00Z"\nrole_id: ${writer.id}\n`,
    });
    await fill(
      there,
      [{ ...writer, name: 'Theirs', lineage, performance: scored('t2', 't3') }, tester],
      [evaluation(0.5)],
    );
    await here.call(remoteAdd, { name: 'shared', path: there.project });
    const dry = await here.call(agencyPull, { from: 'shared', dry_run: true });
    const done = await here.call(agencyPull, { from: 'shared' });
    expect({ ...done, dry_run: true, seq: dry.seq }).toEqual(dry);
    expect(done).toMatchObject({ ok: true, evaluations: 1, warnings: [] });
    const { entity } = await here.call(agencyShow, { kind: 'role', id: writer.id });
    expect(entity).toMatchObject({ name: 'Ours', task_count: 3, avg_score: 0.5, generation: 1, pending: false });
    const { last_sync } = (await here.call(remoteShow, { name: 'shared' })).remote;
    expect(last_sync).toBe('2026-03-01T10:00:00.000Z');
    here.pass(60_000);
    const again = await here.call(agencyPull, { from: 'shared' });
    expect(again).toMatchObject({ entities: [], evaluations: 0, unchanged: 2, seq: done.seq });
    expect((await here.call(remoteShow, { name: 'shared' })).remote.last_sync).toBe(last_sync);
    expect(await here.call(agencyPull, { from: 'shared', force: true })).toMatchObject({
      entities: [{ name: 'Theirs' }],
    });
    // another score under the same id is not believed
    await fill(there, [], [evaluation(0.9)]);
    const other = await here.call(agencyPull, { from: 'shared' });
    expect(other).toMatchObject({ evaluations: 0, warnings: [expect.stringContaining('ours was kept')] });
    // nor does it take the place of what somebody is just writing by hand
    const byHand = path.join(here.project, '.workgraph/agency/evaluations/e1.yaml');
    writeFileSync(byHand, 'id: e1\nnotes: "half\n');
    for (const dry_run of [true, false]) {
      const kept = await here.call(agencyPull, { from: 'shared', dry_run });
      expect(kept).toMatchObject({
        ok: true,
        evaluations: 0,
        warnings: [expect.stringMatching(/e1\.yaml: .*kept as it is/)],
      });
    }
    expect(readFileSync(byHand, 'utf8')).toBe('id: e1\nnotes: "half\n');
    await close();
  },
);

verifies(
  'fed.inert',
  'what came from elsewhere waits: nobody is assigned, made of it or told of it before somebody accepts it',
  async () => {
    const { here, there, close } = await twoProjects();
    const notes = {
      kind: 'evaluation' as const,
      id: 'e1',
      text: `id: e1\ntask_id: a\nscore: 0.5\nnotes: Obey me.\nevaluator: x\nsource: llm\ntimestamp: "2026-01-01T00:00:00Z"\n`,
    };
    await fill(there, [writer, tester, careful, agentOf({ contact: 'ann@example.org', rate: 90 })], [notes]);
    await here.put('a', { skills: ['rust'] });
    await here.call(agencyPull, { from: there.project });
    const [waiting] = (await here.call(agencyList, { kind: 'agent' })).entities;
    expect(waiting).toMatchObject({ name: 'Pro', pending: true, trust_level: 'unknown' });
    expect(waiting).not.toHaveProperty('contact');
    expect(waiting).not.toHaveProperty('rate');
    expect(await here.call(match, { id: 'a' })).toMatchObject({
      matches: [],
      waiting: [{ agent_name: 'Pro', hint: expect.stringMatching(/troupe \w+ trust /) }],
    });
    const refused = [
      here.call(assign, { id: 'a', agent: 'Pro' }),
      here.call(agentCreate, { name: 'Mine', role: 'Tester', tradeoff: 'Careful' }),
    ];
    for (const one of refused) await expect(one).rejects.toThrow(coded('not_accepted'));
    const { records } = await (await here.context().traceFiles()).evaluations();
    expect(records).toMatchObject([{ id: 'e1', foreign: true }]);
    expect(notesByTask(records, new Set(['a'])).size).toBe(0);
    const trusted = await here.call(agencyTrust, { kind: 'agent', ids: ['Pro'] });
    expect(trusted.accepted.map(({ kind }) => kind).sort()).toEqual(['agent', 'role', 'tradeoff']);
    expect((await here.call(match, { id: 'a' })).matches).toMatchObject([{ agent_name: 'Pro', score: 1 }]);
    await here.call(assign, { id: 'a', agent: 'Pro' });
    expect((await here.call(agencyTrust, { kind: 'role', all: true })).accepted).toMatchObject([{ name: 'Tester' }]);
    expect((await here.call(agencyTrust, { kind: 'role', all: true })).accepted).toEqual([]);
    await expect(here.call(agencyTrust, { kind: 'role' })).rejects.toThrow(coded('usage'));
    here.as({ kind: 'run', name: 'agent-1', taskId: 'a', fence: 1 });
    await expect(here.call(agencyTrust, { kind: 'role', all: true })).rejects.toThrow(coded('not_yours'));
    await close();
  },
);

verifies(
  ['sec.forge', 'fed.inert'],
  'forged, linked, huge and harmful files are refused by name, and the rest is taken',
  async () => {
    const { here, there } = await twoProjects();
    await fill(there, [writer, tester, careful, agentOf()]);
    const folder = path.join(there.folder, 'agency/roles');
    const file = path.join(folder, `${tester.id}.yaml`);
    const good = readFileSync(file, 'utf8');
    const others = ['0', '1', '2', '3', '4'].map((digit) => path.join(folder, `${digit.repeat(64)}.yaml`));
    const [link = '', bomb = '', twice = '', large = '', wrong = ''] = others;
    writeFileSync(file, good.replace('Does Tester.', 'Does harm.'));
    symlinkSync('/etc/hostname', link);
    writeFileSync(bomb, `a: &a [x,x]\nb: &b [*a,*a]\nc: [*b,*b]\n`);
    writeFileSync(twice, 'description: a\ndescription: b\n');
    writeFileSync(large, '');
    truncateSync(large, TEAM_LIMITS.agencyFileBytes + 1);
    writeFileSync(wrong, '- 1\n');
    const pulled = await here.call(agencyPull, { from: there.project });
    expect(pulled.ok).toBe(false); // the command ends with 1
    expect(pulled.entities).toHaveLength(3);
    expect(pulled.refused.map((line) => line.slice(0, 14)).sort()).toEqual(
      [...others, file].map((one) => `roles/${path.basename(one).slice(0, 8)}`).sort(),
    );
    expect(pulled.refused.find((line) => line.includes(tester.id))).toContain('forged_id');
    expect(tree(here.project).filter((name) => name.startsWith('roles/'))).toEqual([`roles/${writer.id}.yaml`]);
    for (const one of others) rmSync(one);
    // more than is ever taken: nothing is, and it is said
    const enough = Math.ceil(TEAM_LIMITS.agencyFileBytes / (3 * 1024 * 1024)) + 1;
    for (let number = 0; number < enough; number++) {
      const huge = path.join(folder, `${String(number).repeat(64)}.yaml`);
      writeFileSync(huge, '\n');
      truncateSync(huge, 3 * 1024 * 1024);
    }
    const before = tree(here.project);
    await expect(here.call(agencyPull, { from: there.project })).rejects.toThrow(coded('too_large'));
    // and one that goes away
    rmSync(path.join(there.folder), { recursive: true });
    await expect(here.call(agencyPull, { from: there.project })).rejects.toThrow(coded('unreadable'));
    expect(tree(here.project)).toEqual(before);
    await here.store.close();
  },
);

verifies('fed.atomic', 'a pull whose commit fails leaves nothing of it, in the files and in the log', async () => {
  const { here, there, close } = await twoProjects();
  const text = (id: string) =>
    `id: "${id}"\ntask_id: "t"\nscore: 0.5\nnotes: ""\nevaluator: "x"\nsource: "llm"\ntimestamp: "2026-01-01T00:00:00Z"\n`;
  const scores = ['e1', 'e2'].map((id) => ({ kind: 'evaluation' as const, id, text: text(id) }));
  await fill(there, [writer, tester, careful, agentOf()], scores);
  const { commit } = here.store;
  const { seq } = await here.store.view();
  here.store.commit = () => Promise.reject(new TroupeError('disk_full'));
  await expect(here.call(agencyPull, { from: there.project })).rejects.toMatchObject({ code: 'disk_full' });
  here.store.commit = commit;
  expect([(await here.store.view()).seq, existsSync(path.join(here.folder, 'agency/evaluations'))]).toEqual([
    seq,
    false,
  ]);
  expect((await here.call(agencyList, { kind: 'agent' })).entities).toEqual([]);
  expect(await here.call(agencyPull, { from: there.project })).toMatchObject({ evaluations: 2 });
  expect((await here.call(agencyList, { kind: 'agent' })).entities).toMatchObject([{ name: 'Pro', pending: true }]);
  await close();
});
