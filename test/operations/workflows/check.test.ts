import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { workflowCheck } from '#operations/workflows/workflows.js';
import { GraphInMemory } from '../../graph-in-memory.js';
import { Stage } from '../team/casting-stage.js';

class Works extends Stage {
  override store = new GraphInMemory({ now: () => this.now });

  put(id: string, rest: string): void {
    const folder = path.join(this.folder, '.squad/workflows');
    mkdirSync(folder, { recursive: true });
    writeFileSync(path.join(folder, `${id}.yaml`), `id: ${id}\ntrigger: {type: manual}\nedges: []\n${rest}`);
  }
}

test('a workflow compiles with and without inputs that somebody has to say', async () => {
  const stage = new Works();
  stage.put('plain', 'nodes: [{id: look, type: prompt}]\n');
  stage.put('asks', 'nodes: [{id: look, type: prompt}]\ninputs: [{name: where}]\n');
  const checked = async (id: string) => (await stage.call(workflowCheck, { id })).workflows[0];
  expect(await checked('plain')).toMatchObject({ id: 'plain', ok: true, tasks: 1 });
  expect(await checked('asks')).toMatchObject({ id: 'asks', ok: true, tasks: 1 });
});
