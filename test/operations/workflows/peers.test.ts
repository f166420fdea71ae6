import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { FunctionFolder } from '#adapters/catalog/function-folder.js';
import { remoteAdd } from '#operations/agency/remotes.js';
import { traceImport } from '#operations/history/trace-files.js';
import { foreignFunction, list } from '#operations/workflows/functions.js';
import { commitAll, repository, write } from '../../repository.js';
import { verifies } from '../../verifies.js';
import { twoProjects } from '../agency/two-projects.js';

const coded = (code: string) => expect.objectContaining({ code });
const METADATA = { version: 1, exported_at: '2026-03-01T10:00:00.000Z', visibility: 'peer' };
const SHELL = `kind: trace-function
version: 1
id: shell
name: Shell
inputs: []
tasks:
  - template_id: run
    title: Run it
    exec: echo done
`;

verifies(
  ['graph.func.inert', 'graph.trace.import', 'sec.path.escape', 'sec.tree.links'],
  'functions and traces come from the remotes of the agency, as folders and over git, and from nowhere else there',
  async () => {
    const { here, there, close } = await twoProjects();
    const trace = JSON.stringify({ metadata: METADATA, tasks: [], evaluations: [], operations: [], functions: [] });
    const own = { '.workgraph/functions/shell.yaml': SHELL, 'out/trace.json': trace };
    const clone = repository(own);
    symlinkSync('/etc/hostname', path.join(clone, 'secret.json'));
    commitAll(clone, 'a link');
    write(there.project, own);
    mkdirSync(path.join(there.project, 'inner'));
    symlinkSync('/etc', path.join(there.project, 'inner/etc'));
    writeFileSync(path.join(there.project, '.workgraph/functions/bad.yaml'), 'a: &a [*a]\n');
    await here.call(remoteAdd, { name: 'near', path: there.project });
    await here.call(remoteAdd, { name: 'far', path: clone, ref: 'main' });
    const context = { ...here.context(), functions: async () => new FunctionFolder(here.project) };
    for (const peer of ['near', 'far']) {
      for (const [from, id] of [
        [`${peer}:shell`, undefined],
        [peer, 'shell'],
      ] as const)
        expect((await foreignFunction(context, from, id)).tasks).toMatchObject([{ template_id: 'run' }]);
      await expect(foreignFunction(context, `${peer}:shel`, undefined)).rejects.toThrow(
        expect.objectContaining({ code: 'unknown_function', hint: 'Did you mean shell?' }),
      );
      await expect(foreignFunction(context, peer, undefined)).rejects.toThrow(coded('usage'));
      const imported = await here.call(traceImport, { file: 'out/trace.json', from: peer });
      expect(imported).toMatchObject({ source: peer, replaced: false });
      for (const file of ['../x', '/etc/hostname', 'a/../../x'])
        await expect(here.call(traceImport, { file, from: peer })).rejects.toThrow(coded('unsafe_path'));
      await expect(here.call(traceImport, { file: 'out/none.json', from: peer })).rejects.toThrow(coded('unreadable'));
    }
    for (const [peer, file] of [
      ['near', 'inner/etc/hostname'],
      ['far', 'secret.json'],
    ])
      await expect(here.call(traceImport, { file, from: peer })).rejects.toThrow(coded('unsafe_path'));
    expect(await list.run(context, {})).toEqual({ functions: [], problems: [] });
    const listed = await list.run(context, { include_peers: true });
    expect(listed.peers).toEqual(['far', 'near']);
    expect(listed.functions.map(({ peer, id }) => `${peer}:${id}`)).toEqual(['far:shell', 'near:shell']);
    expect(listed.problems.map(({ id }) => id)).toEqual(['near:bad']);
    await expect(foreignFunction(context, 'nobody:shell', undefined)).rejects.toThrow(coded('unknown_peer'));
    const run = { kind: 'run' as const, name: 'agent-1', taskId: 'a', fence: 1 };
    await expect(foreignFunction({ ...context, caller: run }, 'near:shell', undefined)).rejects.toThrow(
      coded('not_yours'),
    );
    await close();
  },
);
