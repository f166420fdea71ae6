import { expect } from 'vitest';
import { isFormation } from '#operations/formations/names.js';
import { playbookList, playbookShow } from '#operations/playbooks/playbooks.js';
import { startWork } from '#operations/playbooks/start-work.js';
import { allEntries, findEntry } from '#surfaces/cli/entries.js';
import { parseFlags } from '#surfaces/cli/parse-flags.js';
import { write } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { Works } from '../workflows/works.js';

const FUNCTION = `kind: trace-function
version: 1
id: release
description: Releases a version
inputs: []
tasks: [{template_id: tag, title: Tag it}]
`;

verifies(
  'playbook.list',
  'workflows, formations and functions are one list, each with the line that starts it',
  async () => {
    const stage = new Works();
    write(stage.folder, {
      '.workgraph/functions/release.yaml': FUNCTION,
      '.workgraph/functions/torn.yaml': 'a: [\n',
      '.squad/workflows/nightly.yaml':
        'id: nightly\nnodes: [{id: build, type: run, run: make}, {id: read, type: prompt}]\nedges: [{from: build, to: read}]\n',
    });
    const { playbooks } = await stage.call(playbookList, {});
    const named = (name: string) => playbooks.find((row) => row.name === name);
    expect(named('bug-fix')).toMatchObject({ kind: 'workflow', source: 'shipped', start: 'troupe run bug-fix "GOAL"' });
    expect(named('nightly')).toMatchObject({ source: 'project', problem: 'its commands are not trusted' });
    expect(named('release')).toMatchObject({ kind: 'function', description: 'Releases a version' });
    expect(named('torn')?.problem).toMatch(/\w/);
    const formations = playbooks.filter(({ kind }) => kind === 'formation').map(({ name }) => name);
    expect(formations).toEqual(['crew', 'panel', 'sweep', 'chain']);
    expect((await stage.call(playbookList, { kind: 'function' })).playbooks.map(({ name }) => name)).toEqual([
      'release',
      'torn',
    ]);

    for (const { name, kind, start } of playbooks) {
      const found = await findEntry(start.replaceAll('"', '').split(' ').slice(1));
      const input = found && (await parseFlags(found.entry, found.rest, '/'));
      const run = { workflow: name, goal: 'GOAL' };
      const parsed = { workflow: run, formation: run, function: { id: name }, blueprint: { blueprint: name } }[kind];
      expect(found?.entry.command, start).toBe(kind === 'function' ? 'func apply' : 'run');
      expect(input, start).toMatchObject(parsed);
      expect(isFormation(name)).toBe(kind === 'formation');
    }

    const own = '.squad/workflows/panel.yaml';
    write(stage.folder, { [own]: 'id: panel\nnodes: [{id: read, type: prompt}]\nedges: []\n' });
    const panels = (await stage.call(playbookList, {})).playbooks.filter(({ name }) => name === 'panel');
    expect(panels.map(({ kind, start }) => [kind, start])).toEqual([
      ['workflow', 'troupe run panel "GOAL"'],
      ['formation', 'troupe panel "GOAL"'],
    ]);
  },
);

verifies(
  'playbook.list',
  'any playbook is shown by its name, and an older name of its kind shows the same',
  async () => {
    const stage = new Works();
    write(stage.folder, { '.workgraph/functions/release.yaml': FUNCTION });
    const shown = (name: string, kind?: 'blueprint') =>
      stage.call(playbookShow, kind === undefined ? { name } : { name, kind });
    expect(await shown('bug-fix')).toMatchObject({ kind: 'workflow', workflow: { id: 'bug-fix' } });
    expect(await shown('crew')).toMatchObject({ kind: 'formation', formation: { start: 'troupe run crew "GOAL"' } });
    expect(await shown('release')).toMatchObject({ kind: 'function', function: { id: 'release' } });
    const support = { kind: 'blueprint', blueprint: { id: 'blueprint-support' } };
    expect(await shown('support')).toMatchObject(support);
    expect(await shown('blueprint-support', 'blueprint')).toMatchObject(support);
    await expect(shown('bug-fix', 'blueprint')).rejects.toMatchObject({ code: 'not_found' });
    await expect(shown('bug-fx')).rejects.toMatchObject({ code: 'not_found', hint: 'Did you mean bug-fix?' });

    const older = await findEntry(['workflow', 'show', 'bug-fix']);
    expect(older?.replaced).toMatchObject({ older: 'workflow show', current: 'playbooks --kind workflow' });
    expect((await allEntries()).map(({ command }) => command)).not.toContain('workflow show');
  },
);

verifies('playbook.list', 'a name that `run` does not know is answered with all that could be meant', async () => {
  const stage = new Works();
  write(stage.folder, { '.workgraph/functions/release.yaml': FUNCTION });
  const run = (workflow: string) => stage.call(startWork, { workflow, goal: 'x', dry_run: true });
  const { playbooks } = await stage.call(playbookList, {});
  const refused = { code: 'unknown_workflow', what: 'There is no workflow "zzz".' };
  await expect(run('zzz')).rejects.toMatchObject({
    ...{ code: refused.code, message: refused.what },
    hint: expect.stringMatching(
      /^`troupe playbooks` shows them: workflows: .*bug-fix.*; formations: crew, panel, sweep, chain; functions: release; blueprints: /,
    ),
    details: { playbooks: playbooks.map(({ kind, name }) => `${kind} ${name}`) },
  });
  for (const [name, hint] of [
    ['bug-fx', 'Did you mean bug-fix?'],
    ['release', 'It is a function: `troupe func apply release`.'],
    ['support', 'It is a blueprint: `troupe run --blueprint blueprint-support "GOAL"`.'],
    ['crew', 'It is a formation: `troupe run crew "GOAL"`.'],
  ] as const)
    await expect(run(name), name).rejects.toMatchObject({ code: refused.code, hint });
});
