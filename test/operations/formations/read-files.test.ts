import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FormationFolder } from '#adapters/roles/formation-folder.js';
import { runFolder } from '#core/playbooks/formation.js';
import { type FormationRecord, recordEvent } from '#core/playbooks/record.js';
import { sha256 } from '#kernel/hash.js';
import { readFile } from '#operations/formations/desk.js';
import type { Context } from '#operations/operation.js';
import type { Caller } from '#ports/callers.js';
import { bothPorts } from '../../both-ports.js';
import { commit, graphOf, type TaskFields } from '../../core/graph/graph.js';
import { RUN, recordOf } from '../../core/playbooks/records.js';
import { room } from '../../room.js';

interface Setting {
  readonly record: Partial<FormationRecord>;
  /** In the folder of the run, and of them those that work in worktrees has brought together. */
  readonly files: Readonly<Record<string, string>>;
  readonly integrated?: Readonly<Record<string, string>>;
  readonly tasks?: readonly (TaskFields & { readonly id: string })[];
  readonly caller?: Caller;
}

/** What is read of a run, or the code and the words of the refusal. */
function reader({ record, files, integrated, tasks = [], caller = { kind: 'person', name: 'ann' } }: Setting) {
  const project = room('read');
  const whole = recordOf({ tasks: tasks.map(({ id }) => id), ...record });
  const folder = runFolder(whole.formation, RUN);
  for (const [name, text] of Object.entries(files)) {
    const file = path.join(project, folder, name);
    mkdirSync(path.dirname(file), { recursive: true });
    writeFileSync(file, text);
  }
  const view = graphOf(...tasks);
  commit(view, { events: [recordEvent(view, whole, 'x', { actor: 'x' })], result: undefined });
  const context = {
    ...{ caller, formationFiles: async () => new FormationFolder(project) },
    graph: async () => ({ view: async () => view }),
    ...bothPorts(async () => ({
      workplace: async () => ({ place: integrated === undefined ? 'project' : 'worktree' }),
      integratedText: async (file: string) => integrated?.[file.slice(folder.length + 1)],
    })),
  } as unknown as Context;
  const read = (file?: string) =>
    readFile
      .run(context, { run: RUN, file })
      .catch(({ code, message }: { code: string; message: string }) => `${code}: ${message}`);
  return { folder, read };
}

test('of a crew a file is read as its next phase finds it: as it was brought together, else as it lies there', async () => {
  const seats = ['architect', 'dev'].map((name) => ({ name }));
  const files = { 'CONTRACT.md': 'in the project', 'CHANGES.md': 'beside', 'notes.md': 'by the way' };
  const own = reader({ record: { seats }, files });
  const answer = (folder: string, file: string, text: string) => ({
    ...{ run: RUN, folder, files: [], file, text, sha256: sha256(text) },
  });
  expect(await own.read('CONTRACT.md')).toEqual(answer(own.folder, 'CONTRACT.md', 'in the project'));
  const apart = reader({ record: { seats }, files, integrated: { 'CONTRACT.md': 'brought together' } });
  expect([await apart.read('CONTRACT.md'), await apart.read(`${apart.folder}/CHANGES.md`)]).toEqual([
    answer(apart.folder, 'CONTRACT.md', 'brought together'),
    answer(apart.folder, 'CHANGES.md', 'beside'),
  ]);
  expect(await apart.read('notes.md'), 'what no phase hands over').toEqual(
    answer(apart.folder, 'notes.md', 'by the way'),
  );
  expect(await apart.read('gone.md')).toMatch(new RegExp(`^not_found: gone\\.md of ${RUN}: .+\\.$`));
});

test('the files of a run are those that its steps hand in, and those that code makes', async () => {
  const listed = async (formation: FormationRecord['formation']) => {
    const folder = runFolder(formation, RUN);
    const deliverables = [`${folder}/one.md`, 'elsewhere/two.md', `${folder}/votes.md`, `${folder}/report.md`];
    const { read } = reader({ record: { formation }, files: {}, tasks: [{ id: `${RUN}-a`, deliverables }] });
    return await read();
  };
  const list = (formation: FormationRecord['formation'], files: string[]) => ({
    ...{ run: RUN, folder: runFolder(formation, RUN), files, file: null, text: null, sha256: null },
  });
  const own = ['one.md', 'votes.md', 'report.md'];
  expect([await listed('crew'), await listed('panel'), await listed('sweep')]).toEqual([
    list('crew', own),
    list('panel', own),
    list('sweep', [...own, 'schema.yaml', 'findings.yaml', 'rejected.yaml', 'sample.yaml']),
  ]);
});

test('who writes beside others does not read what they write, and everything else', async () => {
  const formation = 'panel' as const;
  const folder = runFolder(formation, RUN);
  const files = {
    'round-1/qa.md': 'mine',
    'round-1/ops.md': 'theirs',
    'votes.md': 'counted',
    'round-2/ops.md': 'later',
  };
  const seat = (id: string, file: string, run = RUN) => ({
    ...{ id, tags: [`formation:${run}`, 'seat:qa'], deliverables: [`${folder}/${file}`] },
  });
  const tasks = [seat('first', 'round-1/qa.md'), seat('second', 'round-2/qa.md'), { id: 'other' }];
  const asked = ['round-1/qa.md', 'round-1/ops.md', 'round-2/../round-1/ops.md', 'round-2/ops.md', 'votes.md'];
  const seen = async (caller: Caller) => {
    const { read } = reader({ record: { formation }, files, tasks, caller });
    const answers = await Promise.all(asked.map((file) => read(file)));
    return answers.map((one) => (typeof one === 'string' ? (one.split(':')[0] ?? '') : one.text));
  };
  const run = (taskId: string): Caller => ({ kind: 'run', name: 'agent-1', taskId, fence: 1 });
  const [first, second, other, person] = [
    await seen(run('first')),
    await seen(run('second')),
    await seen(run('other')),
    await seen({ kind: 'person', name: 'ann' }),
  ];
  expect(first).toEqual(['mine', 'not_yours', 'not_yours', 'later', 'counted']);
  for (const all of [second, other, person])
    expect(all.filter((_, index) => index !== 2)).toEqual(['mine', 'theirs', 'later', 'counted']);
});
