import { expect } from 'vitest';
import { OPERATIONS } from '#operations/table.js';
import { ALL_COMMANDS, FOR_PROGRAMS, OWN_COMMANDS } from '#surfaces/cli/command.js';
import { candidates } from '#surfaces/cli/completion/candidates.js';
import { allEntries, findEntry } from '#surfaces/cli/entries.js';
import { parseFlags } from '#surfaces/cli/parse-flags.js';
import { verifies } from '../verifies.js';

const none = async () => [];
/** The operation a line calls, its input, and the older name it was typed by. */
async function called(line: string) {
  const found = (await findEntry(line.split(' '))) ?? expect.unreachable(line);
  const name = 'name' in found.entry ? found.entry.name : found.entry.command;
  return [name, await parseFlags(found.entry, found.rest, '/here'), found.replaced?.older];
}

verifies('one.verbs', 'there are at most 200 commands, and every operation is reached by one', async () => {
  expect(ALL_COMMANDS.length).toBeLessThanOrEqual(200);
  // What only programs type is no way to have fewer commands for people.
  expect(FOR_PROGRAMS.length).toBeLessThanOrEqual(16);
  const shown = new Map(ALL_COMMANDS.map((entry) => [entry.command, entry]));
  for (const { name, command, instead, forPrograms } of OPERATIONS) {
    const [older, ...words] = command.split(' ');
    const found = (await findEntry([older ?? '', ...words])) ?? expect.unreachable(command);
    if (instead === undefined) {
      expect(shown.has(command) || forPrograms === true, name).toBe(true);
      continue;
    }
    expect(found.replaced, command).toMatchObject({ older: command, current: instead });
    const head = [...shown.keys()]
      .filter((one) => `${instead} `.startsWith(`${one} `))
      .sort((a, b) => b.length - a.length)[0];
    const entry = shown.get(head ?? '') ?? expect.unreachable(`${name}: ${instead}`);
    const chosenBy = instead.slice(entry.command.length).split(' ').filter(Boolean);
    for (const word of chosenBy.filter((each) => each.startsWith('--')))
      expect(
        entry.options?.map(({ flag }) => `--${flag}`),
        instead,
      ).toContain(word);
  }
});

verifies('one.verbs', 'what a folded command took is taken where it went, and reaches the same operation', async () => {
  let count = 0;
  for (const { name, examples, instead } of OPERATIONS) {
    if (instead === undefined) continue;
    for (const example of examples) {
      const words = [...example.matchAll(/"([^"]*)"|(\S+)/g)].map((match) => match[1] ?? match[2] ?? '').slice(1);
      const found = (await findEntry(words.filter((word) => word !== '--json'))) ?? expect.unreachable(example);
      if ('name' in found.entry) expect(found.entry.name, example).toBe(name);
      else expect(`${instead} `.startsWith(`${found.entry.command} `), example).toBe(true);
      count++;
    }
  }
  expect(count).toBeGreaterThan(100);
});

verifies('one.verbs', 'a word, a flag, its value or the lack of an argument choose the form of a command', async () => {
  expect(await called('agency add role Tester')).toEqual(['role.add', { name: 'Tester' }, undefined]);
  expect(await called('role add Tester')).toEqual(['role.add', { name: 'Tester' }, 'role add']);
  expect(await called('msg list')).toEqual(['bus.list', {}, undefined]);
  expect(await called('msg list --all')).toEqual(['bus.list', { all: true }, undefined]);
  expect(await called('msg list parser')).toEqual(['msg.list', { id: 'parser' }, undefined]);
  expect(await called('msg list parser --poll')).toEqual(['msg.poll', { id: 'parser' }, undefined]);
  expect(await called('member edit Neo --name Dozer')).toEqual([
    ...['member.rename', { member: 'Neo', name: 'Dozer' }, undefined],
  ]);
  expect(await called('member edit --name=Dozer Neo')).toEqual([
    ...['member.rename', { member: 'Neo', name: 'Dozer' }, undefined],
  ]);
  expect(await called('roster show --workgroup coding.yaml --project TeaParty')).toEqual([
    ...['roster.workgroup', { file: '/here/coding.yaml', project: 'TeaParty' }, undefined],
  ]);
  expect(await called('config show')).toEqual(['config.show', {}, undefined]);
  expect(await called('config show a.b')).toEqual(['config.get', { key: 'a.b' }, undefined]);
  expect(await called('service pause-coordinator 1')).toEqual([
    ...['session.change', { id: '1', state: 'paused' }, 'service pause-coordinator'],
  ]);
});

verifies('one.verbs', 'a head alone says what is missing, and help of a form is of the form', async () => {
  const head = (await findEntry(['agency', 'add'])) ?? expect.unreachable();
  await expect(parseFlags(head.entry, ['rolle', 'x'], '/')).rejects.toMatchObject({ code: 'usage' });
  const form = (await findEntry(['msg', 'list', '--inbox', '--help'])) ?? expect.unreachable();
  expect(form.entry.command).toBe('msg list --inbox');
  expect(await parseFlags(form.entry, form.rest, '/')).toBe('help');
});

verifies(
  'one.verbs',
  'the flags and words of all forms are completed; what only programs type is not offered',
  async () => {
    const offered = async (...words: string[]) => {
      const found = await candidates(words, await allEntries(), none);
      return found === 'paths' ? found : found.map(({ value }) => value);
    };
    expect(await offered('agency', 'add', '')).toEqual(['role', 'tradeoff', 'agent']);
    expect(await offered('msg', 'list', '--in')).toEqual(['--inbox']);
    expect(await offered('git-m')).toEqual([]);
    expect(OWN_COMMANDS.map(({ command }) => command)).not.toContain('git-merge');
    expect(await called('git-merge a b c')).toEqual([
      'project.git-merge',
      { base: 'a', ours: 'b', theirs: 'c' },
      undefined,
    ]);
  },
);
