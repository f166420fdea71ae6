import path from 'node:path';
import { cutTo } from '#kernel/cells.js';
import { inert, shellWord } from '#kernel/text.js';
import { allEntries } from '#surfaces/cli/entries.js';
import type { CommandHost } from '#surfaces/cli/host.js';
import { type CompletionCandidate, candidates, type NameSource } from './candidates.js';
import { PATHS } from './scripts.js';

/** Maximum width of a description in columns, for the lists of the shells. */
const ABOUT_CELLS = 60;
/** Words without any character that a shell interprets. */
const PLAIN = /^[\w.:@/+=,-]+$/;

/**
 * Answers the completion script of a shell: one line per candidate. Only reads and asks no service. Errors yield no
 * candidates, because completion has no place to report them; `TROUPE_DEBUG=1` prints them.
 */
export async function completeWords([shell, ...words]: readonly string[], host: CommandHost): Promise<number> {
  try {
    const fits = await candidates(words, await allEntries(), namesOf(folderOf(words, host), host));
    const lines = fits === 'paths' ? [PATHS] : fits.flatMap((one) => lineOf(one, shell, words.at(-1) ?? ''));
    host.out.write(lines.map((line) => `${line}\n`).join(''));
    return 0;
  } catch (error) {
    if (host.environment['TROUPE_DEBUG'] === '1') host.err.write(`${inert((error as Error).stack ?? '', true)}\n`);
    return 1;
  }
}

/**
 * Formats a candidate for its shell. Zsh and fish quote the values that they insert. Bash does not: a value with
 * special characters is quoted here, and only offered while the typed part of the word is plain.
 */
function lineOf({ value, about }: CompletionCandidate, shell: string | undefined, typed: string): string[] {
  if (shell !== 'bash') return [about === '' ? value : `${value}\t${cutTo(inert(about), ABOUT_CELLS)}`];
  if (PLAIN.test(value)) return [value];
  return /^[\w.@/+-]*$/.test(typed) ? [shellWord(value)] : [];
}

function folderOf(words: readonly string[], { folder, environment }: CommandHost): string {
  const at = words.lastIndexOf('--dir');
  const joined = words.find((word) => word.startsWith('--dir='))?.slice('--dir='.length);
  const named = at === -1 ? joined : words[at + 1];
  return path.resolve(folder, named ?? (environment['TROUPE_PROJECT'] || '.'));
}

/** Names are foreign text: those with control characters, or that would be parsed as flags, are not offered. */
function namesOf(folder: string, host: CommandHost): NameSource {
  const sources: Record<Parameters<NameSource>[0], () => Promise<readonly CompletionCandidate[]>> = {
    task: async () => (await host.tasksAtAGlance(folder)).map(({ id, title }) => ({ value: id, about: title })),
    member: async () => {
      const { specNamed } = await import('#operations/named.js');
      const { members } = await host.call(specNamed('team.show'), {}, folder);
      return members.flatMap(({ name, status }) => (status === 'Active' ? [{ value: name, about: 'member' }] : []));
    },
    workflow: async () => {
      const { specNamed } = await import('#operations/named.js');
      // `workflow.list` also reads the graph and takes in hand edits of its snapshot; `workflow.check` does not.
      const { workflows } = await host.call({ ...specNamed('workflow.check'), where: 'caller' }, {}, folder);
      return workflows.map(({ id, problem }) => ({ value: id, about: problem ?? '' }));
    },
  };
  return async (names) => (await sources[names]()).filter(({ value }) => value === inert(value) && /^[^-]/.test(value));
}
