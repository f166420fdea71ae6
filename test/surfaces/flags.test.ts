import path from 'node:path';
import { expect, test } from 'vitest';
import type { ArgumentSpec, OptionSpec } from '#operations/operation-spec.js';
import { OPERATIONS } from '#operations/table.js';
import { COMMANDS } from '#surfaces/cli/command.js';
import type { CommandEntry } from '#surfaces/cli/invocation.js';
import { parseFlags } from '#surfaces/cli/parse-flags.js';
import { verifies } from '../verifies.js';

const HERE = '/somewhere';
/** Every operation and every command, by what it takes itself. */
const EVERY: readonly CommandEntry[] = [...OPERATIONS, ...COMMANDS];
/** Words that fill what a command cannot do without. */
const argumentWords = (entry: CommandEntry) =>
  (entry.arguments ?? [])
    .filter((argument: ArgumentSpec) => argument.required)
    .map(({ values }, index) => values?.[0] ?? `word-${index}`);

/** What a person types for the value of an option, and what the operation should get. */
function typed({ type, values, path: kind }: OptionSpec): { words: string[]; value: unknown } {
  const word = values?.[0] ?? 'some-word';
  if (type === 'switch') return { words: [], value: true };
  if (type === 'number') return { words: ['7'], value: 7 };
  if (type === 'list' || type === 'each') return { words: [word], value: [word] };
  return { words: [word], value: kind === 'always' ? path.join(HERE, word) : word };
}

const spellingsOf = (option: OptionSpec) => [
  ...[option.flag, ...(option.aliases ?? [])].map((flag) => `--${flag}`),
  ...(option.short ? [`-${option.short}`] : []),
];

/** Is the field unknown to the operation? Strict schemas name the keys they do not take. */
async function isRefused(entry: CommandEntry, field: string, value: unknown): Promise<boolean> {
  if (!('kind' in entry)) return false;
  const parsed = (await entry.load()).input.safeParse({ [field]: value });
  if (parsed.success) return false;
  return parsed.error.issues.some((issue) => issue.code === 'unrecognized_keys' && issue.keys?.includes(field));
}

verifies('hold.switches', 'every flag of every command, in every spelling, reaches its operation', async () => {
  let count = 0;
  const lost: string[] = [];
  for (const entry of EVERY) {
    for (const option of entry.options ?? []) {
      const { words, value } = typed(option);
      if (await isRefused(entry, option.field, value)) lost.push(`${entry.command}: ${option.field} is no input`);
      for (const spelling of spellingsOf(option)) {
        count++;
        const input = await parseFlags(entry, [...argumentWords(entry), spelling, ...words], HERE);
        const reached = input === 'help' ? undefined : input[option.field];
        if (JSON.stringify(reached) !== JSON.stringify(value)) lost.push(`${entry.command} ${spelling}: ${reached}`);
      }
    }
  }
  expect(lost).toEqual([]);
  expect(count).toBeGreaterThan(400);
});

verifies('hold.switches', 'a flag with two values is refused, in any two spellings', async () => {
  const taken: string[] = [];
  let count = 0;
  for (const entry of EVERY) {
    for (const option of (entry.options ?? []).filter(({ type }) => type === 'text' || type === 'number')) {
      const [one, other] = option.type === 'number' ? ['7', '8'] : (option.values ?? ['one', 'other']);
      const spellings = spellingsOf(option);
      const parsed = (first = '', second = '') => {
        const words = [spellings[0] ?? '', first, spellings.at(-1) ?? '', second];
        return parseFlags(entry, [...argumentWords(entry), ...words], HERE);
      };
      count++;
      await expect(parsed(one, one)).resolves.toBeTypeOf('object');
      const refused = await parsed(one, other ?? `${one}x`).catch(({ code, message }) => `${code} ${message}`);
      if (!/^usage .* (is given twice|must be one of)/.test(String(refused)))
        taken.push(`${entry.command}: ${refused}`);
    }
  }
  expect(taken).toEqual([]);
  expect(count).toBeGreaterThan(100);
});

verifies('hold.switches', 'what is not typed is not said, for switches that begin with no- too', async () => {
  for (const entry of EVERY) {
    // A flag that means nothing else, so that the parser runs.
    const input = await parseFlags(entry, [...argumentWords(entry), '--'], HERE);
    const fields = (entry.options ?? []).map((option) => option.field);
    expect(
      Object.keys(input).filter((field) => fields.includes(field) && !argumentNames(entry).includes(field)),
    ).toEqual([]);
  }
});

const argumentNames = (entry: CommandEntry) => (entry.arguments ?? []).map((argument) => argument.field);

verifies(
  'hold.switches',
  'a field that an argument and a flag name differently is refused, neither is dropped',
  async () => {
    const both: string[] = [];
    for (const entry of EVERY) {
      for (const [index, { field, many }] of (entry.arguments ?? []).entries()) {
        const option = entry.options?.find((candidate) => candidate.field === field && candidate.type === 'text');
        if (!option || many) continue;
        both.push(entry.command);
        const words = (entry.arguments ?? []).slice(0, index + 1).map(({ values }) => values?.[0] ?? 'a');
        const say = (value: string) => parseFlags(entry, [...words, `--${option.flag}`, value], HERE);
        await expect(say('b'), entry.command).rejects.toMatchObject({ code: 'usage' });
        expect(await say(words[index] ?? ''), entry.command).toMatchObject({ [field]: words[index] });
      }
    }
    expect(both).toContain('evaluate record');
  },
);

test('a flag and its other spelling add up where many are taken', async () => {
  const add = EVERY.find((entry) => entry.command === 'add');
  const option = add?.options?.find((candidate) => candidate.type === 'list' && candidate.aliases?.length);
  if (!add || !option) return;
  const words = ['title', `--${option.flag}`, 'a', `--${option.aliases?.[0]}`, 'b,c'];
  expect(await parseFlags(add, words, HERE)).toMatchObject({ [option.field]: ['a', 'b', 'c'] });
});

verifies('hold.switches', 'no list can be asked for none or fewer of its rows', async () => {
  const lists = OPERATIONS.filter(({ options }) => options?.some(({ field }: OptionSpec) => field === 'limit'));
  for (const { name, load } of lists) {
    const parsed = (await load()).input.safeParse({ limit: 0 });
    const issues = parsed.success ? [] : parsed.error.issues;
    expect([name, issues.some(({ path: [field] }) => field === 'limit')]).toEqual([name, true]);
  }
  expect(lists.length).toBeGreaterThan(8);
});
