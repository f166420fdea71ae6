import { mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { CheckpointFolder } from '#adapters/runs/checkpoint-folder.js';
import type { Checkpoint } from '#core/graph/checkpoint-shape.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { room } from '../../room.js';

function place() {
  const agents = path.join(room('checkpoints'), 'agents');
  return { agents, folder: new CheckpointFolder(agents), of: (name: string) => path.join(agents, name, 'checkpoints') };
}
const checkpoint = (timestamp: string, more: object = {}) =>
  ({ task_id: 'a', agent_id: 'agent-1', summary: 's', timestamp, ...more }) as unknown as Checkpoint;

test('each is kept under the next number beside its run, so many of them, and can be forgotten', async () => {
  const { folder, of } = place();
  for (const at of ['1', '2', '3']) await folder.save(checkpoint(at), 2);
  expect(readdirSync(of('agent-1')).sort()).toEqual(['000002.json', '000003.json']);
  expect(statSync(path.join(of('agent-1'), '000003.json')).mode & 0o777).toBe(0o600);
  expect(statSync(of('agent-1')).mode & 0o777).toBe(0o700);
  const last = await folder.save(checkpoint('4'), 2);
  await last.forget();
  await last.forget();
  expect(readdirSync(of('agent-1'))).toEqual(['000003.json']);
});

test('those of a task are listed, the newest first, of every run that had it', async () => {
  const { agents, folder, of } = place();
  await folder.save(checkpoint('1'), 9);
  await folder.save(checkpoint('3', { agent_id: 'ann' }), 9);
  await folder.save(checkpoint('2'), 9);
  await folder.save(checkpoint('4', { task_id: 'b' }), 9);
  const [person = ''] = readdirSync(agents).filter((name) => name !== 'agent-1');
  expect(person).toMatch(/^person-[0-9a-f]{12}$/);
  expect((await folder.list('a', ['agent-1', 'ann', 'agent-1'])).map(({ timestamp }) => timestamp)).toEqual([
    '3',
    '2',
    '1',
  ]);
  expect(await folder.list('a', ['agent-9'])).toEqual([]);
  writeFileSync(path.join(of('agent-1'), '000009.json'), '{"task_id":"a","summary":7,"timestamp":"9"}');
  writeFileSync(path.join(of('agent-1'), '000010.json'), 'words');
  writeFileSync(path.join(of('agent-1'), 'notes.json'), JSON.stringify(checkpoint('9')));
  mkdirSync(path.join(of('agent-1'), '000011.json'));
  writeFileSync(
    path.join(of('agent-1'), '000012.json'),
    JSON.stringify(checkpoint('9', { summary: 'x'.repeat(TEAM_LIMITS.checkpointFileBytes) })),
  );
  expect((await folder.list('a', ['agent-1'])).map(({ timestamp }) => timestamp)).toEqual(['2', '1']);
  writeFileSync(path.join(of('agent-1'), '1000000.json'), '');
  await folder.save(checkpoint('5'), 9);
  expect(readdirSync(of('agent-1')), 'the number after the highest').toContain('1000001.json');
});

test('one that is too large is refused, and nothing is kept through a link', async () => {
  const { agents, folder } = place();
  const huge = checkpoint('1', { summary: 'x'.repeat(TEAM_LIMITS.checkpointFileBytes) });
  await expect(folder.save(huge, 9)).rejects.toMatchObject({ code: 'too_large' });
  mkdirSync(agents, { recursive: true });
  symlinkSync(room('elsewhere'), path.join(agents, 'agent-1'));
  await expect(folder.save(checkpoint('1'), 9)).rejects.toMatchObject({ code: 'unsafe_path' });
  await expect(folder.list('a', ['agent-1'])).rejects.toMatchObject({ code: 'unsafe_path' });
});

test('what is read and kept has bounds, and of one moment the later number comes first', async () => {
  const { folder, of } = place();
  const own = of('agent-1');
  const size = Buffer.byteLength(`${JSON.stringify(checkpoint('1', { summary: '' }))}\n`);
  const full = checkpoint('1', { summary: 'x'.repeat(TEAM_LIMITS.checkpointFileBytes - size) });
  await folder.save(full, 9);
  await expect(folder.save({ ...full, summary: `${full.summary}x` }, 9)).rejects.toMatchObject({ code: 'too_large' });
  expect(readdirSync(own)).toEqual(['000001.json']);
  expect(statSync(path.join(own, '000001.json')).size).toBe(TEAM_LIMITS.checkpointFileBytes);
  for (const summary of ['second', 'third']) await folder.save(checkpoint('1', { summary }), 9);
  expect((await folder.list('a', ['agent-1'])).map(({ summary }) => summary.slice(0, 6))).toEqual([
    ...['third', 'second', 'xxxxxx'],
  ]);
  const many = place();
  mkdirSync(many.of('agent-1'), { recursive: true });
  const nameless = { '000998.json': { timestamp: 9 }, '000999.json': { task_id: 7 } };
  for (const [name, odd] of Object.entries(nameless))
    writeFileSync(path.join(many.of('agent-1'), name), JSON.stringify(checkpoint('998', odd)));
  for (let number = 100; number <= 100 + TEAM_LIMITS.checkpointsListed; number++)
    writeFileSync(path.join(many.of('agent-1'), `000${number}.json`), JSON.stringify(checkpoint(String(number))));
  const listed = await many.folder.list('a', ['agent-1']);
  expect([listed.length, listed[0]?.timestamp, listed.at(-1)?.timestamp]).toEqual([
    TEAM_LIMITS.checkpointsListed,
    '200',
    '101',
  ]);
  const others = Array.from({ length: TEAM_LIMITS.checkpointFiles - 1 }, (_, number) => `agent-${number + 2}`);
  expect(await many.folder.list('a', [...others, 'agent-1'])).toHaveLength(TEAM_LIMITS.checkpointsListed);
  expect(await many.folder.list('a', ['agent-9999', ...others, 'agent-1'])).toEqual([]);
});

test('no place on the way may be a link, and what is no folder is told', async () => {
  const top = room('checkpoints');
  const own = ['', 'agents', 'agents/agent-1', 'agents/agent-1/checkpoints'].map((name) =>
    path.join(top, 'graph', name),
  );
  for (const [index, link] of own.entries()) {
    const place = link.replace('graph', `graph-${index}`);
    mkdirSync(path.dirname(place), { recursive: true });
    symlinkSync(room('elsewhere'), place.replace(/\/$/, ''));
    const folder = new CheckpointFolder(path.join(top, `graph-${index}`, 'agents'));
    await expect(folder.save(checkpoint('1'), 9), place).rejects.toMatchObject({ code: 'unsafe_path' });
  }
  const blocked = place();
  mkdirSync(path.dirname(blocked.of('agent-1')), { recursive: true });
  writeFileSync(blocked.of('agent-1'), '');
  await expect(blocked.folder.list('a', ['agent-1'])).rejects.toMatchObject({ code: 'ENOTDIR' });
  await expect(blocked.folder.save(checkpoint('1'), 9)).rejects.toMatchObject({ code: 'EEXIST' });
});
