import { readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import { verifies } from '../verifies.js';
import { asked, converse, project, start, startService, textOf, until } from './program.js';

interface Listed {
  readonly messages: readonly { text: string }[];
}

const TEXTS = ['about the task', 'to the team', 'a task', 'a line'] as const;

async function withTeam(): Promise<string> {
  const cwd = await project();
  await asked(['add', 'Base', '--id', 'base', '--paused'], { cwd });
  await asked(['team', 'create', 'pair', '--leader', 'Ann'], { cwd });
  return cwd;
}

const said = async (cwd: string) => ({
  task: (await asked<Listed>(['msg', 'list', 'base'], { cwd })).messages.map(({ text }) => text),
  team: (await asked<Listed>(['team', 'chat', 'pair'], { cwd })).messages.map(({ text }) => text),
});

verifies(
  'db.once',
  'a service that starts while commands wait for the lock gets their requests: each is done once',
  async () => {
    const cwd = await withTeam();
    const folder = path.join(cwd, '.workgraph');
    const clock = { now: () => Date.now() };
    const holder = await FileStore.open({ folder, processes: new ProcessTable(), clock, hold: true });
    onTestFinished(() => holder.close());
    const commands = [
      ['msg', 'send', 'base', TEXTS[0]],
      ['team', 'say', 'pair', TEXTS[1]],
      ['add', TEXTS[2]],
      ['log', 'base', TEXTS[3]],
    ].map((args) => start(args, { cwd }));
    const waiting = () => readdirSync(path.join(folder, 'service')).filter((name) => name.includes('.want.'));
    await until('all commands to wait', () => waiting().length === commands.length);
    await startService(cwd, '--force');
    for (const { finished } of commands) expect(await finished).toMatchObject({ code: 0 });
    expect(await said(cwd)).toMatchObject({ task: [TEXTS[0]], team: [TEXTS[1]] });
    const log = textOf(path.join(folder, 'operations.jsonl'));
    expect(log.split('"op":"message"')).toHaveLength(2);
    expect(
      (await asked<{ tasks: { title: string }[] }>(['list'], { cwd })).tasks.filter(({ title }) => title === TEXTS[2]),
    ).toHaveLength(1);
    expect(log.split(`"message":"${TEXTS[3]}"`)).toHaveLength(2);
    await asked(['service', 'stop', '--kill-agents'], { cwd }); // the plan of the team
  },
);

verifies(
  'db.once',
  'an id that comes again is answered the same, and refused for anything else, at the socket',
  async () => {
    const cwd = await withTeam();
    await startService(cwd);
    const ask = (id: string, name: string, input: object) => ({ cmd: 'operation', name, input, request_id: id });
    const send = (id: string, text: string) => ask(id, 'msg.send', { id: 'base', text });
    const say = (id: string, text: string) => ask(id, 'team.say', { team: 'pair', text });
    const log = (id: string, message: string) => ask(id, 'task.log', { id: 'base', message });
    const replies = await converse(cwd, [
      ...[send('r-1', 'one'), send('r-1', 'one'), send('r-1', 'two')],
      ...[say('r-2', 'one'), say('r-2', 'one'), say('r-2', 'two')],
      ...[log('r-3', 'one'), log('r-3', 'one'), log('r-3', 'two')],
    ]);
    expect(replies.map(({ ok, error }) => (ok === true ? 'ok' : (error as { code: string }).code))).toEqual(
      [1, 2, 3].flatMap(() => ['ok', 'ok', 'request_id_reused']),
    );
    const resultOf = (index: number) => replies[index]?.['result'];
    expect(resultOf(1)).toMatchObject({ number: 1 });
    expect(resultOf(4)).toEqual(resultOf(3));
    expect(await said(cwd)).toMatchObject({ task: ['one'], team: ['one'] });
    await asked(['service', 'stop', '--kill-agents'], { cwd });
  },
);
