import { appendFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import { doneTask } from '#core/graph/moves.js';
import { verifies } from '../../verifies.js';
import { by, clock, graphPlace } from './graph-place.js';

async function twoTasks() {
  const place = graphPlace();
  await place.add('Alpha');
  await place.add('Beta');
  await place.commit((view) => doneTask(view, 'alpha', { now: clock.now(), by }));
  const codes = async () => (await place.doctor.examine()).map((finding) => finding.code);
  const service = path.join(place.folder, 'service');
  const aside = () =>
    readdirSync(service).includes('lost+found') ? readdirSync(path.join(service, 'lost+found')) : [];
  return { ...place, codes, service, aside, text: () => readFileSync(place.graph, 'utf8') };
}

const SAME = 'graph.jsonl is what the log makes: nothing changed.';

verifies('one.commit', 'the readable graph is made again from the log, byte for byte, and again', async () => {
  const { doctor, text, graph, aside, codes, open } = await twoTasks();
  const before = text();
  for (const again of [1, 2]) expect(await doctor.rebuild(), `${again}`).toEqual([SAME]);
  expect([text(), aside()]).toEqual([before, []]);
  rmSync(graph);
  expect(await doctor.rebuild()).toEqual(['Made graph.jsonl from the log.']);
  expect(text()).toBe(before);
  const store = await open();
  await store.rotate();
  await store.close();
  const rotated = text();
  expect(await doctor.rebuild(), 'also from pieces that were closed').toEqual([SAME]);
  expect([text(), (await codes()).filter((code) => code !== 'lost_found')]).toEqual([rotated, []]);
});

verifies('one.commit', 'where log and graph differ, the log counts, and the graph before it is kept', async () => {
  const { doctor, log, text, aside, codes, service } = await twoTasks();
  writeFileSync(log, readFileSync(log, 'utf8').replace('"title":"Beta"', '"title":"Bets"'));
  rmSync(path.join(service, 'graph.base.jsonl'));
  expect(await codes()).toContain('log_differs');
  const before = text();
  expect(await doctor.rebuild()).toEqual([
    expect.stringMatching(
      /^Made graph\.jsonl again from the log; the one before is \.workgraph\/service\/lost\+found\/graph-\d+\.jsonl\.$/,
    ),
  ]);
  expect(text()).toBe(before.replace('"title":"Beta"', '"title":"Bets"'));
  expect(await codes()).not.toContain('log_differs');
  expect(readFileSync(path.join(service, 'lost+found', aside()[0] ?? ''), 'utf8')).toBe(before);
});

verifies('one.commit', 'what a hand changed is entered in the log first', async () => {
  const { doctor, graph, text, ops } = await twoTasks();
  writeFileSync(graph, text().replace('"Beta"', '"Better"'));
  expect(await doctor.rebuild()).toEqual(['Recorded the changes made by hand.', SAME]);
  expect(ops().at(-1)).toBe('hand_edit');
  expect(text()).toContain('"Better"');
});

verifies('one.commit', 'without a whole log nothing is rebuilt, and nothing is lost', async () => {
  const rotated = await twoTasks();
  const store = await rotated.open();
  await store.rotate();
  await store.close();
  rmSync(path.join(rotated.folder, 'log'), { recursive: true });
  const before = rotated.text();
  await expect(rotated.doctor.rebuild()).rejects.toMatchObject({ code: 'corrupt' });
  expect([rotated.text(), rotated.aside()]).toEqual([before, []]);

  const foreign = graphPlace();
  writeFileSync(foreign.graph, '');
  appendFileSync(foreign.graph, '{"kind":"task","id":"a","title":"A","status":"open"}\n');
  rmSync(foreign.log, { force: true });
  await expect(foreign.doctor.rebuild()).rejects.toMatchObject({ code: 'corrupt' });
  expect(readFileSync(foreign.graph, 'utf8')).toContain('"id":"a"');
});
