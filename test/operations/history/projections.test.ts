import { rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { PROJECTIONS } from '#core/history/projections.js';
import { REGISTRY_FILE } from '#core/roles/role-paths.js';
import { TroupeError } from '#kernel/errors.js';
import { rebuilt, whileNoServiceRuns } from '#operations/history/projections.js';
import type { Context } from '#operations/operation.js';
import { decisionAdd } from '#operations/squad/decisions.js';
import { add } from '#operations/squad/memories.js';
import { verifies } from '../../verifies.js';
import { roleStage } from '../roles/place.js';
import { MemoryStage } from '../team/memory-stage.js';

const QA = '# qa\n\n## Charter\n\nChecks.\n\n## When to use\n\n- x\n\n## Learnings (core)\n';

verifies(
  'one.commit',
  'what follows from the events of a team is made again with the same bytes, and again changes nothing',
  async () => {
    const stage = await MemoryStage.withTeam();
    await stage.call(decisionAdd, { title: 'One', type: 'process', content: 'Text.', rationale: 'Why.' });
    await stage.call(add, { agent: 'Neo', content: 'Tests come first.' });
    const made = async (name: 'team' | 'memory') => await rebuilt(stage.context(), name);
    for (const name of ['team', 'memory'] as const) {
      await made(name);
      const whole = stage.files();
      const again = await made(name);
      expect(again, 'nothing of the files is named').toHaveLength(1);
      // People write in these too, and what they wrote stands nowhere else.
      const lost = Object.keys(whole).filter(
        (file) => file.startsWith('.squad/') && /\.(?:json|md)$/.test(file) && !/(?:team|history)\.md$/.test(file),
      );
      let seen = 0;
      for (const file of lost) {
        rmSync(path.join(stage.folder, file));
        const sentences = await made(name);
        if (sentences.some((sentence) => sentence.startsWith(`Wrote ${file} `))) {
          seen++;
          expect([file, stage.files()[file]]).toEqual([file, whole[file]]);
        }
        writeFileSync(path.join(stage.folder, file), whole[file] ?? '', 'latin1');
      }
      expect(seen, name).toBeGreaterThan(1);
      await made(name);
      expect(stage.files()).toEqual(whole);
    }
  },
);

verifies('one.commit', 'the table of roles follows from their files', async () => {
  const own = await roleStage([['.claude/roles/qa.md', QA]]);
  expect(await rebuilt(own.context(), 'roles')).toEqual([`Wrote ${REGISTRY_FILE} from the role files.`]);
  const table = own.files.texts.get(REGISTRY_FILE);
  expect(await rebuilt(own.context(), 'roles')).toEqual([`${REGISTRY_FILE} is current: nothing changed.`]);
  own.files.texts.delete(REGISTRY_FILE);
  await rebuilt(own.context(), 'roles');
  expect(own.files.texts.get(REGISTRY_FILE)).toBe(table);
});

verifies(
  'one.commit',
  'the graph follows from its log, and what the log is told of messages from teams.db',
  async () => {
    const doctor = { rebuild: async () => ['graph.jsonl is what the log makes: nothing changed.'] };
    const rows = [[{ id: 1 }, { id: 2 }], []];
    const settled: unknown[] = [];
    const context = {
      doctor: async () => doctor,
      clock: { now: () => 0 },
      graph: async () => ({ commit: async () => ({ entries: [{}] }) }),
      outbox: async () => ({
        pending: async () => rows.shift() ?? [],
        settle: async (id: unknown) => settled.push(id),
      }),
    } as unknown as Context;
    expect(await rebuilt(context, 'graph')).toEqual(await doctor.rebuild());
    expect(await rebuilt(context, 'messages')).toEqual(['Told the log of 2.']);
    expect(await rebuilt(context, 'messages')).toEqual(['The log knows of every message: nothing changed.']);
    expect(settled).toEqual([1, 2]);
    expect(PROJECTIONS).toEqual(['graph', 'team', 'memory', 'roles', 'messages']);
  },
);

verifies('one.commit', 'work that needs the graph for itself names the remedy while a service runs', async () => {
  const held = whileNoServiceRuns(Promise.reject(new TroupeError('locked', { what: 'It is held by pid 7.' })));
  await expect(held).rejects.toMatchObject({
    ...{ code: 'locked', message: 'It is held by pid 7.', hint: expect.stringContaining('`troupe service stop`') },
  });
  const broken = whileNoServiceRuns(Promise.reject(new TroupeError('corrupt')));
  await expect(broken).rejects.toMatchObject({ code: 'corrupt' });
  expect(await whileNoServiceRuns(Promise.resolve(['done']))).toEqual(['done']);
});
