import { expect } from 'vitest';
import { playbookList } from '#operations/blueprints/playbooks.js';
import { isFormation } from '#operations/formations/names.js';
import { findEntry } from '#surfaces/cli/entries.js';
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
      const isFunction = kind === 'function';
      expect(found?.entry.command, start).toBe(isFunction ? 'func apply' : 'run');
      expect(input, start).toMatchObject(isFunction ? { id: name } : { workflow: name, goal: 'GOAL' });
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
