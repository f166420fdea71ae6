import { mkdirSync } from 'node:fs';
import { createServer } from 'node:net';
import path from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { clientProject, engine } from './client-world.js';
import { asked, project, statuses, textOf, troupe, until } from './program.js';

test('a socket that another program answers is said, by name; nothing hangs', async () => {
  const cwd = await project();
  const socket = path.join(cwd, '.workgraph/service/daemon.sock');
  mkdirSync(path.dirname(socket), { recursive: true });
  const foreign = createServer((connection) => connection.on('data', () => connection.write('hello\n')));
  await new Promise<void>((resolve) => foreign.listen(socket, resolve));
  onTestFinished(() => void foreign.close());
  for (const words of [
    ['service', 'start'],
    ['service', 'status'],
    ['add', 'A task'],
  ]) {
    const { code, stderr } = await troupe([...words, '--json'], { cwd });
    expect([words[0], code, JSON.parse(stderr).error.code]).toEqual([words[0], 1, 'socket_in_use']);
    expect(stderr).toContain('daemon.sock');
  }
});

test('a model name of no such form reaches no client: its task stays as it is, and why says what is wrong', async () => {
  const cwd = await clientProject(['model = "--dangerously-skip-permissions"']);
  await asked(['add', 'Do it play=success', '--id', 'a'], { cwd });
  await engine(cwd);
  const why = () => asked<{ code: string; text: string }[]>(['why', 'a'], { cwd });
  await until('it to be refused', async () => JSON.stringify(await why()).includes('is not a valid model name'));
  expect((await why()).map(({ code }) => code)).toEqual(['executor']);
  expect(await statuses(cwd)).toEqual({ a: 'open' });
  expect(textOf(path.join(cwd, '.workgraph/operations.jsonl'))).not.toContain('"op":"claim"');
  const [problem] = (await asked<{ problems: { kind: string; command: string }[] }>(['problems'], { cwd })).problems;
  expect(problem).toMatchObject({ kind: 'executor', command: 'troupe spawn a' });
});
