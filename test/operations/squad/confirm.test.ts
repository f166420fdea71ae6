import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { ScriptedModel } from '#adapters/models/scripted-model.js';
import { TroupeError } from '#kernel/errors.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { confirm, ensureTeam } from '#operations/squad/confirm.js';
import { add, rename, retire, show as showMember } from '#operations/squad/members.js';
import { analyze, goal, manual } from '#operations/squad/proposals.js';
import { universes } from '#operations/squad/sources.js';
import { write } from '../../repository.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { Stage, team } from '../team/casting-stage.js';

const CHARTERS = path.resolve(import.meta.dirname, '../../../data/catalog/charters');
const ALWAYS = ['.gitattributes', '.gitignore', '.workgraph/'];
const coded = (code: string) => expect.objectContaining({ code });

/** A sentence that only the shipped charter of this archetype has. */
function sentenceOf(archetype: string): string {
  const lines = readFileSync(path.join(CHARTERS, `${archetype}.md`), 'utf8').split('\n');
  return lines.find((line) => /^[ -~]{40,}$/.test(line) && !/[{>]/.test(line)) ?? 'none';
}

async function teamOf(...archetypes: string[]): Promise<Stage> {
  const stage = new Stage();
  await stage.call(manual, { archetypes, universe: 'The Matrix' });
  await stage.call(confirm);
  return stage;
}

verifies('confirm.new', 'members have the charters of their archetypes, built-in ones and later ones too', async () => {
  const stage = await teamOf('writer', 'qa-engineer');
  await stage.call(add, { archetype: 'editor' });
  const { members } = await stage.call(team);
  const files = stage.files();
  for (const { archetype_id, charter_path } of members)
    expect(files[charter_path], archetype_id).toContain(sentenceOf(archetype_id));
  expect(members.filter(({ built_in }) => built_in).length).toBeGreaterThan(1);
});

verifies('confirm.atomic', 'what is written outside of .squad/ is as the caller expects, or nothing is', async () => {
  const stage = new Stage();
  stage.settings = { casting: { client_files: true } };
  await expect(stage.call(ensureTeam, { workflow: 'bug-fix', outside: [] })).rejects.toMatchObject({
    ...{ code: 'outside_files', details: { files: ALWAYS } },
  });
  expect(await (await stage.context().squad()).proposal(), 'nothing was proposed').toBeUndefined();
  await stage.call(manual, { archetypes: ['writer'] });
  await expect(stage.call(confirm, { clients: false, outside: [] })).rejects.toThrow(coded('outside_files'));
  expect(stage.files()).toEqual({});
  const made = await stage.call(ensureTeam, { workflow: 'bug-fix', outside: ALWAYS });
  expect(made.outside).toEqual(ALWAYS);
  const before = stage.files();
  await expect(stage.call(add, { archetype: 'editor', clients: true, outside: [] })).rejects.toThrow(
    coded('outside_files'),
  );
  expect(stage.files()).toEqual(before);
});

verifies('casting.shape.model', 'no model is asked for names or archetypes that cannot be had', async () => {
  const stage = new Stage();
  const model = new ScriptedModel(['{"roles": ["writer"]}']);
  stage.model = model;
  writeFileSync(path.join(stage.folder, 'index.ts'), 'export {};\n');
  await expect(stage.call(goal, { goal: 'Write', universe: 'Narnia' })).rejects.toThrow(coded('universe_invalid'));
  await expect(stage.call(analyze, { required: ['plumber'] })).rejects.toThrow(coded('unknown_archetype'));
  expect(model.asked).toEqual([]);
});

verifies(
  'casting.analyze',
  'a model that analyses is held to the usual size; where it fails, that is said first',
  async () => {
    const stage = new Stage();
    const roles = (await stage.catalog.load()).menu.map(({ id }) => id);
    writeFileSync(path.join(stage.folder, 'index.ts'), 'export {};\n');
    stage.model = new ScriptedModel([JSON.stringify({ roles }), new TroupeError('bad_model_answer', { what: 'No.' })]);
    const last = roles.at(-1) ?? '';
    const chosen = await stage.call(analyze, { required: [last] });
    expect(chosen).toMatchObject({ mode: 'analysis', method: 'model' });
    expect(chosen.members).toHaveLength(TEAM_LIMITS.teamSizeModelMost);
    expect(chosen.members.map(({ role }) => role.id)).toContain(last);
    const ruled = await stage.call(analyze);
    expect(ruled).toMatchObject({ mode: 'analysis', method: 'rules' });
    expect(ruled.warnings[0]).toMatchObject({ code: 'rules_decided' });
  },
);

verifies('casting.universe.pure', 'without a seed, names are drawn by the project', async () => {
  const universe = async (project: string, more: object = {}) => {
    const stage = new Stage(path.join(room(), project));
    return (await stage.call(manual, { archetypes: ['writer'], ...more })).universe;
  };
  for (const project of ['alpha', 'beta', 'gamma', 'delta'])
    expect(await universe(project)).toBe(await universe('another', { seed: project }));
});

verifies(
  'member.retire',
  'a team without a graph has no tasks to hand on; who retired is shown with the time',
  async () => {
    const stage = await teamOf('writer', 'qa-engineer');
    expect((await stage.call(rename, { member: 'Neo', name: 'Anderson' })).tasks).toEqual([]);
    expect((await stage.call(retire, { member: 'Trinity', leader: 'Anderson' })).tasks).toEqual([]);
    const gone = await stage.call(showMember, { member: 'Trinity' });
    expect([gone.retired_at, gone.leads]).toEqual([new Date(stage.now).toISOString(), false]);
    const shown = await stage.call(showMember, { member: 'Anderson' });
    expect(shown).not.toHaveProperty('retired_at');
    expect([shown.previous_name, shown.leads, typeof shown.charter]).toEqual(['Neo', true, 'string']);
    rmSync(path.join(stage.folder, shown.member.charter_path));
    expect((await stage.call(showMember, { member: 'Anderson' })).charter).toBeNull();
  },
);

verifies('casting.analyze', 'what a workflow names and the catalog does not know has no say in its team', async () => {
  const stage = new Stage();
  write(stage.folder, {
    '.squad/workflows/own.yaml':
      'id: own\ntrigger: {type: manual}\nedges: []\nnodes: [{id: a, type: prompt, archetype: plumber}, {id: b, type: prompt}, {id: c, type: prompt, archetype: [support-agent, editor]}]\n',
  });
  expect(await stage.call(ensureTeam, { workflow: 'own' })).toMatchObject({ cast: true });
  const cast = (await stage.call(team)).members.map(({ archetype_id }) => archetype_id);
  expect([cast.includes('support-agent'), cast.includes('editor')]).toEqual([true, false]);
});

verifies('casting.universe.override', 'a run adds no names to choose from', async () => {
  const stage = new Stage();
  stage.caller = { kind: 'run', name: 'agent-1', taskId: 'a', fence: 1 };
  await expect(stage.call(universes, { add: 'names.yaml' })).rejects.toThrow(coded('not_yours'));
});
