import { expect } from 'vitest';
import { playbookList } from '#operations/workflows/playbooks.js';
import { findEntry } from '#surfaces/cli/entries.js';
import { parseFlags } from '#surfaces/cli/parse-flags.js';
import { write } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { Works } from './works.js';

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

    const COMMANDS = { workflow: 'run', function: 'func apply' };
    for (const { name, kind, start } of playbooks) {
      const words = start.replaceAll('"', '').split(' ').slice(1);
      const found = await findEntry(words);
      const command = kind === 'formation' ? (name === 'sweep' ? 'formation sweep' : name) : COMMANDS[kind];
      expect(found?.entry.command, start).toBe(command);
      if (found)
        expect(await parseFlags(found.entry, found.rest, '/'), start).toMatchObject(
          kind === 'function' ? { id: name } : { goal: 'GOAL' },
        );
    }
  },
);
