import { expect, test } from 'vitest';
import { workflowRun } from '#operations/workflows/run.js';
import { workflowTrust } from '#operations/workflows/trust.js';
import { write } from '../../repository.js';
import { Works } from './works.js';

const NIGHTLY = 'id: nightly\ntrigger: {type: manual}\nedges: []\nnodes: [{id: build, type: run, run: make}]\n';

test('trust releases what waits of this very workflow as it stands, and nothing else that is held', async () => {
  const stage = new Works();
  write(stage.folder, { '.squad/workflows/nightly.yaml': NIGHTLY });
  await stage.call(workflowRun, { id: 'nightly' });
  const { sha256 } = await stage.call(workflowTrust, { id: 'nightly', show: true });
  const mark = { id: 'nightly', run: 'nightly', node: 'x', held: 'rm -rf .', sha256 };
  const held = {
    other: { workflow: { ...mark, id: 'weekly' } },
    older: { workflow: { ...mark, sha256: 'c0ffee' } },
    bare: { workflow: { ...mark, held: undefined } },
    over: { workflow: mark, status: 'abandoned' },
    note: { workflow: mark, kind: 'note' },
  };
  for (const [id, fields] of Object.entries(held)) await stage.put(id, fields);
  await stage.put('waits', { workflow: mark });
  const released = async (more: object = {}) =>
    [...(await stage.call(workflowTrust, { id: 'nightly', ...more })).released].sort();
  expect(await released({ show: true })).toEqual([]);
  expect(await released()).toEqual(['nightly-build', 'waits']);
  const view = await stage.store.view();
  for (const id of Object.keys(held)) expect(view.node(id), id).not.toHaveProperty('exec');
  expect(view.task('waits')).toMatchObject({
    exec: 'rm -rf .',
    workflow: { id: 'nightly', run: 'nightly', node: 'x' },
  });
  expect(view.task('waits')?.['workflow' as never]).not.toHaveProperty('held');
  expect(await released()).toEqual([]);
});
