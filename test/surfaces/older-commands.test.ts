import pc from 'picocolors';
import { expect } from 'vitest';
import { execute } from '#surfaces/cli/commands/help.js';
import { candidates } from '#surfaces/cli/completion/candidates.js';
import { allEntries, findEntry, programEntries } from '#surfaces/cli/entries.js';
import type { Invocation } from '#surfaces/cli/invocation.js';
import { OLDER_NAMES } from '#surfaces/cli/older-commands.js';
import { parseFlags } from '#surfaces/cli/parse-flags.js';
import { verifies } from '../verifies.js';

const takesNone = (name: string) =>
  /^(?:cast analyze|(?:role|tradeoff|motivation|agent|evolve review) list|service list-coordinators)$/.test(name);

verifies('command.older', 'no older name is a command of today, and what stands for it is parsed', async () => {
  const commands = new Set((await allEntries()).flatMap(({ command }) => [command, command.split(' ')[0]]));
  for (const name of OLDER_NAMES) {
    expect(commands.has(name), name).toBe(false);
    const line = [...name.split(' '), ...(takesNone(name) ? [] : ['1'])];
    const { entry, rest, replaced } = (await findEntry(line)) ?? expect.unreachable(name);
    expect(await parseFlags(entry, rest, '/'), name).not.toBe('help');
    expect(replaced?.older).toBe(name);
  }
});

verifies('command.older', 'the words after an older name follow what stands for it', async () => {
  const found = async (...words: string[]) => {
    const { entry, rest, replaced } = (await findEntry(words)) ?? expect.unreachable();
    return [entry.command, await parseFlags(entry, rest, '/'), replaced?.current];
  };
  const velocity = [{ only: ['velocity'], weeks: 8 }, 'analyze --only velocity'];
  expect(await found('velocity', '--weeks', '8')).toEqual(['analyze', ...velocity]);
  expect(await found('impact', 'ship')).toEqual([
    ...['analyze', { id: 'ship', only: ['impact'] }, 'analyze --only impact'],
  ]);
  expect(await found('service', 'pause-coordinator', '1')).toEqual([
    ...['service coordinators --state', { id: '1', state: 'paused' }, 'service coordinators --state paused'],
  ]);
  expect(await found('motivation', 'edit', 'Careful')).toEqual([
    ...['agency edit tradeoff', { id: 'Careful' }, 'agency edit tradeoff'],
  ]);
  for (const word of ['tradeoff', 'motivation'])
    expect(await found(word, 'show', 'Careful')).toEqual([
      ...['agency show', { kind: 'tradeoff', id: 'Careful' }, 'agency show tradeoff'],
    ]);
  expect(await findEntry(['motivation', 'shw'])).toBeUndefined();
  expect((await findEntry(['analyze']))?.replaced).toBeUndefined();
});

verifies('command.older', 'the flags of what stands for an older name are completed', async () => {
  const none = async () => [];
  const offered = await candidates(['velocity', '--we'], await allEntries(), none);
  expect(offered).toMatchObject([{ value: '--weeks' }]);
  expect(await candidates(['tradeoff', 'edit', '--acc'], await allEntries(), none)).toMatchObject([
    { value: '--accept' },
  ]);
});

verifies('command.older', 'the help of an older name is that of what stands for it', async () => {
  for (const [older, current] of [
    ['role list', 'agency list'],
    ['velocity', 'analyze'],
    ['task output', 'output'],
    ['role add', 'agency add'],
    ['messages inbox', 'msg list'],
    ['cast analyze', 'cast propose'],
    ['blueprint show', 'playbooks'],
    ['workflow list', 'playbooks'],
  ] as const) {
    const lines: string[] = [];
    const screen = { width: 80, colour: pc.createColors(false), unicode: true, aside: () => undefined };
    const line = (text = '') => void lines.push(text);
    const entries = { entries: allEntries, programEntries };
    const invocation = { screen: { ...screen, line }, input: { topic: older.split(' ') }, ...entries };
    expect(await execute(invocation as unknown as Invocation)).toBe(0);
    expect(lines[0], older).toMatch(new RegExp(`^troupe ${current}: `));
  }
});
