import { execFile } from 'node:child_process';
import { existsSync, readdirSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect } from 'vitest';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { asked, environment, installed, project, troupe } from './program.js';

const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/;

/** A shell of its own, with `troupe` on its path and nothing of anybody's settings. */
async function shell(program: string, args: readonly string[], cwd: string): Promise<string> {
  const { PATH = '' } = environment();
  const env = environment({ PATH: `${installed()}${path.delimiter}${PATH}` });
  return (await promisify(execFile)(program, args, { cwd, env })).stdout;
}

/**
 * What bash puts in place of the last word of each line: the script is sourced once, and readline's variables are set as readline
 * does. Every reply is then read by the shell as a word of a command line, and comes back as what a program would get.
 */
const DRIVER = `
source <(troupe completion bash)
complete -p troupe wg >&2
while (($#)); do
  COMP_WORDS=(troupe)
  while (($#)) && [[ $1 != END ]]; do COMP_WORDS+=("$1"); shift; done
  shift
  COMP_CWORD=$((\${#COMP_WORDS[@]} - 1)); COMP_LINE="\${COMP_WORDS[*]}"; COMP_POINT=\${#COMP_LINE}
  _troupe troupe "\${COMP_WORDS[COMP_CWORD]}" ''
  for word in "\${COMPREPLY[@]}"; do
    eval "typed=($word)"
    printf '%s=%s\\n' "\${#typed[@]}" "\${typed[0]}"
  done
  echo .
done`;

/** The replies for each line, as arguments of a program; a reply that is not one word is an error. */
async function completed(cwd: string, ...lines: readonly (readonly string[])[]): Promise<string[][]> {
  const args = lines.flatMap((line) => [...line, 'END']);
  const output = await shell('bash', ['--norc', '--noprofile', '-c', DRIVER, 'bash', ...args], cwd);
  return output
    .split(/^\.$/m)
    .slice(0, -1)
    .map((part) =>
      part
        .split('\n')
        .filter((row) => row !== '')
        .map((row) => {
          expect(row).toMatch(/^1=/);
          return row.slice(2);
        }),
    );
}

verifies('ui.complete', 'bash completes commands, flags and their values, tasks, members, workflows', async () => {
  const cwd = await project();
  for (const title of ['Write the parser', 'Write the tests', 'Pack it']) await asked(['add', title], { cwd });
  await asked(['cast', 'manual', 'lead-architect', 'writer', '--universe', 'The Matrix'], { cwd });
  await asked(['cast', 'confirm'], { cwd });
  const { members } = await asked<{ members: { name: string }[] }>(['team', 'show'], { cwd });
  const names = members.map(({ name }) => name);
  const [commands, second, flags, mode, joined, ids, list, member, owner, workflow, topic, shells, none] =
    await completed(
      cwd,
      ['sho'],
      ['service', 'sta'],
      ['add', 'Title', '--aft'],
      ['run', '--run', ''],
      ['run', '--run', '=', 'f'], // as readline parts `--run=f`
      ['show', 'wr'],
      ['add', 'Title', '--json', '--after', 'pack-it,write-the-'],
      ['member', 'show', ''],
      ['--dir', '.', 'add', 'Title', '--member', ''],
      ['workflow', 'run', 'repository-'],
      ['help', 'ta'],
      ['completion', ''],
      ['no-such', ''],
    );
  expect(commands).toEqual(['show']);
  expect(second?.sort()).toEqual(['start', 'status']);
  expect(flags).toEqual(['--after', '--after-success']);
  expect(mode).toEqual(['fast', 'all', 'none']);
  expect(joined).toEqual(['fast']);
  expect(ids).toEqual(['write-the-parser', 'write-the-tests']);
  expect(list).toEqual(['pack-it,write-the-parser', 'pack-it,write-the-tests']);
  expect(names.length).toBeGreaterThan(1);
  expect(member).toEqual(expect.arrayContaining(names));
  expect(owner).toEqual(member);
  expect(workflow).toEqual(['repository-review']);
  expect(topic).toContain('tasks');
  expect(shells).toEqual(['bash', 'zsh', 'fish']);
  expect(none).toEqual([]);
});

verifies(
  'ui.complete',
  'ids and titles of others are never evaluated, and nothing a terminal acts on is printed',
  async () => {
    const cwd = await project();
    const harmless = [
      'a b',
      "it's",
      '$(touch owned)',
      '`touch owned`',
      'a;touch owned',
      '*',
      '~',
      'x\\y',
      '構文',
      ':paths',
      'q"q',
    ];
    const dropped = ['\u001b]0;owned\u0007', 'new\nline', '\u202etxt', '--force', '-rf'];
    const lines = [...harmless, ...dropped].map((id) =>
      JSON.stringify({ kind: 'task', id, title: `\u001b[2J$(touch owned)\t${id}`, status: 'open' }),
    );
    writeFileSync(path.join(cwd, '.workgraph/graph.jsonl'), `${lines.join('\n')}\n`);
    const known = (await asked<{ tasks: { id: string }[] }>(['list'], { cwd })).tasks.map(({ id }) => id);
    const wanted = harmless.filter((id) => known.includes(id));
    expect(wanted.length).toBeGreaterThan(5);
    const [all, begun, quoted] = await completed(cwd, ['show', ''], ['show', 'a'], ['show', "'"]);
    expect(all?.filter((id) => id !== ':paths').sort()).toEqual(wanted.filter((id) => id !== ':paths').sort());
    expect(begun?.sort()).toEqual(wanted.filter((id) => id.startsWith('a')).sort());
    expect(quoted).toEqual([]);
    for (const name of ['bash', 'zsh', 'fish']) {
      const { code, stdout, stderr } = await troupe(['__complete', name, 'show', ''], { cwd });
      expect([code, stderr]).toEqual([0, '']);
      expect(stdout).not.toMatch(CONTROLS);
      for (const line of stdout.trimEnd().split('\n')) expect(line.split('\t').length).toBeLessThanOrEqual(2);
    }
    expect(readdirSync(cwd)).not.toContain('owned');
  },
);

/** Everything below a folder, with what would show that it was written. */
const written = (folder: string): string[] =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => [file, statSync(path.join(folder, file))] as const)
    .map(([file, { mtimeMs, size, ino }]) => `${file} ${mtimeMs} ${size} ${ino}`)
    .sort();

verifies('ui.complete', 'it writes nothing, starts no service, and works where there is no graph', async () => {
  const answer = async (cwd: string, ...words: string[]) => {
    const { code, stdout, stderr } = await troupe(['__complete', 'bash', ...words], { cwd });
    expect([words, code, stderr]).toEqual([words, 0, '']);
    return stdout.split('\n').filter((line) => line !== '');
  };
  const bare = room();
  expect(await answer(bare, 'lis')).toEqual(['list']);
  expect(await answer(bare, 'show', '')).toEqual([]);
  expect(await answer(bare, '--dir', '')).toEqual([':paths']);
  expect(readdirSync(bare)).toEqual([]);
  const cwd = await project();
  await asked(['add', 'Alpha'], { cwd });
  // A hand's edit is not taken in by looking.
  writeFileSync(
    path.join(cwd, '.workgraph/graph.jsonl'),
    `${JSON.stringify({ kind: 'task', id: 'beta', title: 'Beta', status: 'open' })}\n`,
    { flag: 'a' },
  );
  const before = written(cwd);
  expect(await answer(cwd, 'show', '')).toEqual(['alpha', 'beta']);
  expect(await answer(cwd, 'workflow', 'show', 'bug-')).toEqual(['bug-fix']);
  expect(written(cwd)).toEqual(before);
});

verifies(
  'ui.complete',
  'every shell there is takes its script; the program asks none to evaluate anything',
  async () => {
    for (const name of ['bash', 'zsh', 'fish']) {
      const file = path.join(room(), name);
      const { stdout } = await troupe(['completion', name], { cwd: room() });
      writeFileSync(file, stdout);
      expect(stdout).toContain(`command troupe __complete ${name}`);
      expect(stdout.replace(/^ *#.*$/gm, '')).not.toMatch(/\beval\b|compgen -W/);
      const program = (process.env['PATH'] ?? '').split(path.delimiter).map((folder) => path.join(folder, name));
      const present = program.find((place) => existsSync(place)); // zsh and fish are not on every machine
      if (present) await shell(present, ['-n', file], room());
    }
    const { code, stderr } = await troupe(['completion', 'csh'], { cwd: room() });
    expect([code, stderr]).toEqual([2, expect.stringMatching(/SHELL must be one of bash, zsh, fish/)]);
  },
);
