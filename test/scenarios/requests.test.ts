import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileStore } from '#adapters/store/files/file-store.js';
import type { TroupeError } from '#kernel/errors.js';
import { thisProcess } from '#main/asker.js';
import { askService } from '#surfaces/socket/client.js';
import { verifies } from '../verifies.js';
import { asked, project, socketOf, start, startService, textOf, until } from './program.js';

interface Listed {
  readonly messages: readonly { readonly text: string; readonly who?: { readonly kind: string } }[];
}

const TEXTS = ['about the task', 'to the team', 'a task', 'a line'] as const;

async function withTeam(): Promise<string> {
  const cwd = await project();
  await asked(['add', 'Base', '--id', 'base', '--paused'], { cwd });
  await asked(['team', 'create', 'pair', '--leader', 'Ann'], { cwd });
  return cwd;
}

/** Without the words of the system, which tells the team when its plan fails. */
const said = async (cwd: string) => ({
  task: (await asked<Listed>(['msg', 'list', 'base'], { cwd })).messages.map(({ text }) => text),
  team: (await asked<Listed>(['team', 'chat', 'pair'], { cwd })).messages
    .filter(({ who }) => who?.kind === 'person')
    .map(({ text }) => text),
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

verifies('who.twice', 'a service that is told to stop answers first: what it began is not done again', async () => {
  const cwd = await project();
  const marks = path.join(cwd, 'marks');
  await asked(['add', 'Slow', '--id', 'slow', '--verify-cmd', `echo checked >> '${marks}'; sleep 2`], { cwd });
  await asked(['claim', 'slow'], { cwd });
  await startService(cwd);
  const done = start(['done', 'slow'], { cwd });
  await until('the check to begin', () => existsSync(marks));
  await asked(['service', 'stop'], { cwd });
  expect(await done.finished).toMatchObject({ code: 0 });
  expect(textOf(marks)).toBe('checked\n');
});

verifies(
  'db.once',
  'an id that comes again is answered the same, and refused for anything else, at the socket',
  async () => {
    const cwd = await withTeam();
    await startService(cwd);
    const socket = socketOf(cwd);
    const answers: unknown[] = [];
    const ask = async (request_id: string, name: string, input: object) => {
      const request = { cmd: 'operation', name, input, request_id } as const;
      const reply = await askService(socket, request, thisProcess({ kind: 'person', name: 'tess' })).catch(
        (error: TroupeError) => ({ result: error.code }),
      );
      answers.push('result' in reply ? reply.result : reply.state);
    };
    const send = (id: string, text: string) => ask(id, 'msg.send', { id: 'base', text });
    const say = (id: string, text: string) => ask(id, 'team.say', { team: 'pair', text });
    const log = (id: string, message: string) => ask(id, 'task.log', { id: 'base', message });
    for (const [of, id] of [
      [send, 'r-1'],
      [say, 'r-2'],
      [log, 'r-3'],
    ] as const)
      for (const text of ['one', 'one', 'two']) await of(id, text);
    const [sent, again, , spoken, repeated, , logged] = answers;
    expect([sent, again]).toMatchObject([{ number: 1 }, { number: 1 }]);
    expect([spoken, repeated, logged]).toMatchObject([{ status: 'queued' }, spoken, { id: 'base' }]);
    expect([2, 5, 8].map((index) => answers[index])).toEqual(Array(3).fill('request_id_reused'));
    expect(await said(cwd)).toMatchObject({ task: ['one'], team: ['one'] });
    await asked(['service', 'stop', '--kill-agents'], { cwd });
  },
);
