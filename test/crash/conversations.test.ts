import { mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { mass } from '../mass.js';
import { asked, endEverything, project, start } from '../scenarios/program.js';
import { logOf } from '../scenarios/repository-world.js';
import { verifies } from '../verifies.js';
import { killAfter, randomFrom, seed } from './killing.js';

const KILLS = mass(8, 60);
const LIVES_MS = 350;

interface Queued {
  readonly conversation_id: string;
  readonly message_id: string;
  readonly task_id: string;
}

verifies(
  'bus.guarantee',
  `${KILLS} kills of processes that write: what was queued is there, each once and in order, and the graph was told once`,
  async () => {
    const cwd = await project();
    onTestFinished(() => endEverything(cwd));
    mkdirSync(path.join(cwd, '.teaparty'));
    writeFileSync(path.join(cwd, '.teaparty/teaparty.yaml'), 'name: Office\n');
    const random = randomFrom(seed);
    const opened = await asked<Queued>(['send', 'om', 'message 0'], { cwd });
    const conversation = opened.conversation_id;
    const queued: string[] = [];
    let [kills, number] = [0, 0];
    const write = async () => {
      while (kills < KILLS) {
        const text = `message ${++number}`;
        const running = start(['send', 'om', text, '--conversation', conversation, '--json'], { cwd });
        const killed = await killAfter(running.child, random() * LIVES_MS);
        if (killed) kills++;
        else if ((await running.finished).code === 0) queued.push(text);
      }
    };
    await Promise.all([write(), write()]);
    await asked(['send', 'om', 'the last', '--conversation', conversation], { cwd });
    const { messages } = await asked<{ messages: { text: string; number: number; message_id: string }[] }>(
      ['messages', 'read', conversation],
      { cwd },
    );
    const texts = messages.map(({ text }) => text);
    expect(new Set(texts).size, `seed ${seed}`).toBe(texts.length);
    expect(texts).toEqual(expect.arrayContaining(queued));
    expect(messages.map(({ number: at }) => at)).toEqual(messages.map((_, index) => index + 1));
    const told = logOf(cwd).flatMap(({ op, detail }) => (op === 'message' ? [detail?.['message_id']] : []));
    expect([...told].sort()).toEqual(
      messages
        .slice(1)
        .map((message) => message.message_id)
        .sort(),
    );
  },
);
