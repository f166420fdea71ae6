import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { thisProcess } from '#main/asker.js';
import { askService } from '#surfaces/socket/client.js';
import { verifies } from '../verifies.js';
import {
  asked,
  project,
  readJson,
  socketOf,
  startService,
  statuses,
  textOf,
  troupe,
  until,
  untilStatus,
} from './program.js';

const file = (cwd: string) => path.join(cwd, '.workgraph/service/coordinators.json');
const record = {
  id: 1,
  name: 'web',
  scope: { tags: ['web'], roots: ['base'] },
  max_agents: 1,
  executor: 'codex',
  model: 'm-1',
  paused: false,
  status: 'in-progress',
};

verifies(
  'session.state',
  'sessions are kept in their file, made with and without a service, and say what starts',
  async () => {
    const cwd = await project();
    const words = [
      'web',
      '--tag',
      'web',
      '--root',
      'base',
      '--max-agents',
      '1',
      '--executor',
      'codex',
      '--model',
      'm-1',
    ];
    expect(await asked(['service', 'create-coordinator', ...words], { cwd })).toEqual(record);
    expect(readJson(file(cwd))).toEqual({ next_id: 2, coordinators: [record] });
    await startService(cwd);
    const ask = async (request: object) => {
      const answer = await askService(socketOf(cwd), request as never, thisProcess({ kind: 'person', name: 'tess' }));
      return answer.state === 'answered' ? answer.result : undefined;
    };
    expect(await ask({ cmd: 'pause_coordinator', id: 1 })).toEqual({ ...record, paused: true });
    await asked(['add', 'W', '--tag', 'web', '--exec', 'true'], { cwd });
    await asked(['add', 'X', '--exec', 'true'], { cwd });
    await untilStatus(cwd, 'x', 'done');
    await asked(['service', 'tick'], { cwd });
    expect(await statuses(cwd)).toEqual({ w: 'open', x: 'done' });
    expect(await asked(['why', 'w'], { cwd })).toMatchObject([{ code: 'session-paused' }]);
    expect(await ask({ cmd: 'resume_coordinator', id: 1 })).toEqual(record);
    await untilStatus(cwd, 'w', 'done');
    expect(await ask({ cmd: 'create_coordinator', name: 'two' })).toMatchObject({ id: 2, name: 'two' });
    expect(await ask({ cmd: 'stop_coordinator', id: 1 })).toMatchObject({ status: 'open' });
    expect(await ask({ cmd: 'archive_coordinator', id: 1 })).toMatchObject({ status: 'done' });
    await asked(['add', 'Y', '--tag', 'web', '--exec', 'true'], { cwd });
    await asked(['service', 'tick'], { cwd });
    expect((await statuses(cwd))['y']).toBe('open');
    expect(await ask({ cmd: 'delete_coordinator', id: 1 })).toMatchObject({ id: 1 });
    await untilStatus(cwd, 'y', 'done'); // it belongs to the rest now
    expect(await ask({ cmd: 'list_coordinators' })).toMatchObject({
      coordinators: [{ id: 0 }, { id: 2, name: 'two' }],
    });
    expect(await ask({ cmd: 'user_chat', id: 2, message: 'hello' })).toMatchObject({
      id: 2,
      task: 'chat-2',
      number: 1,
    });
    await expect(ask({ cmd: 'user_chat', id: 9, message: 'hello' })).rejects.toMatchObject({ code: 'not_found' });
    await expect(ask({ cmd: 'stop_coordinator' })).rejects.toMatchObject({ code: 'bad_input' });
  },
);

verifies('coord.tick.chat', 'a later message opens the chat of a session again, once', async () => {
  const cwd = await project();
  expect(await asked(['chat', 'what is left?'], { cwd })).toMatchObject({ id: 0, task: 'chat-0', number: 1 });
  const would = () => asked<{ decisions: object[] }>(['service', 'tick', '--dry-run'], { cwd });
  await asked(['done', 'chat-0'], { cwd });
  expect(await would()).toEqual({ decisions: [] });
  await asked(['chat', 'and now?'], { cwd });
  expect(await would()).toMatchObject({ decisions: [{ do: 'deliver-chat', task: 'chat-0' }] });
  await asked(['service', 'tick'], { cwd });
  expect(await statuses(cwd)).toEqual({ 'chat-0': 'open' });
  await asked(['done', 'chat-0'], { cwd });
  expect(await would()).toEqual({ decisions: [] });
  const talk = await troupe(['chat'], { cwd });
  expect(talk.stdout).toMatch(/what is left\?\n.*and now\?\n/);
});

test('a broken file of sessions leaves them as they were, and the log says so once', async () => {
  const cwd = await project();
  await asked(['service', 'create-coordinator', '--tag', 'web'], { cwd });
  await startService(cwd);
  await asked(['service', 'pause-coordinator', '1'], { cwd });
  await asked(['service', 'tick'], { cwd });
  writeFileSync(file(cwd), '{"next_id":');
  await asked(['add', 'W', '--tag', 'web', '--exec', 'true'], { cwd });
  await asked(['service', 'tick'], { cwd });
  const log = () => textOf(path.join(cwd, '.workgraph/service/daemon.log'));
  await until('it to be told', () => log().includes('sessions are unchanged'));
  await asked(['service', 'tick'], { cwd });
  expect(log().match(/sessions are unchanged/g)).toHaveLength(1);
  expect(await statuses(cwd)).toEqual({ w: 'open' });
});

verifies('service.pause', 'a run changes no session', async () => {
  const cwd = await project();
  await asked(['service', 'create-coordinator'], { cwd });
  const env = { WG_AGENT_ID: 'agent-1', WG_TASK_ID: 'a', WG_FENCE: '1' };
  for (const words of [
    ['service', 'create-coordinator'],
    ['service', 'pause-coordinator', '1'],
    ['chat', 'hi'],
  ]) {
    const refused = await troupe([...words, '--json'], { cwd, env });
    expect([words, JSON.parse(refused.stderr).error.code]).toEqual([words, 'not_yours']);
  }
});
