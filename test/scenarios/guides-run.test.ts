import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { wordsOf } from '../house/quoted-commands.js';
import { commitAll, git, write } from '../repository.js';
import { room } from '../room.js';
import { verifies } from '../verifies.js';
import { WITH_CLIENT } from './client-world.js';
import { CLI, endEverything, environment, type Finished, start, troupe, until } from './program.js';

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (name: string) => readFileSync(path.join(ROOT, name), 'utf8');
const GUIDES = readdirSync(path.join(ROOT, 'docs/guide')).filter((name) => name !== 'README.md');
/** Pages whose lines are typed from the first to the last. */
const WALKS = ['start', 'recipes'].flatMap((folder) =>
  readdirSync(path.join(ROOT, 'docs', folder)).map((name) => `docs/${folder}/${name}`),
);

/** The shell blocks of a document, each as its lines. */
const blocksOf = (text: string): string[] =>
  [...text.matchAll(/^```sh\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);

/** The lines of a block; a document in the shell is one with all it contains. */
const linesOf = (block: string): string[] => block.match(/^.*<<'END'\n[\s\S]*?^END$|^.+$/gm) ?? [];

/** What stands for a person who answers, and for a terminal. Nothing else about a line is changed. */
const ANSWERED: Readonly<Record<string, string>> = {
  'troupe setup': ' --yes --executor claude --max-agents 2 --budget-usd-per-day 5 --land manual',
  'troupe run': ' --yes --exit --run none',
  'troupe run "add a version flag"': ' --dry-run',
  'troupe trial ../other': ' --yes --exit --run none',
  'troupe worktree land': ' --yes',
  'troupe top': ' --once',
  'troupe try fleet': ' --help', // test/scenarios/try-fleet.test.ts plays it
  'troupe dashboard': ' --json',
};

/** Lines of guides that are not typed here, only read by the parser, each with the reason. */
const NOT_TYPED: readonly (readonly [line: RegExp, reason: string])[] = [
  [/^troupe evolve (?!--dry-run)/, 'a model proposes, and its run gives the ids'],
  [/^troupe playbook \w+ \d/, 'the id of a run ends at random'],
  [/^troupe reply /, 'the id of a conversation is random'],
  [/^troupe func (extract|apply) /, 'a function is made of tasks that went well'],
  [/^(gh |troupe sync |troupe resume (bd|gh)-)/, 'a forge or another tracker answers'],
  [/^troupe roles graduate (--candidates )?c1/, 'two lanes have to learn the same first'],
  [/^troupe worktree (show|remove) \w/, 'a run of a client makes the worktree'],
  [/^troupe msg list .* --poll/, 'says no by its exit code'],
  [/^troupe service restart --listen/, 'needs a certificate'],
  [/^troupe roles proposals \S/, 'its id has a hash of the text'],
  [/^curl /, 'uses a variable of the line before'],
];

/** Looks at the neighbour alone, which is the same for each reader: what two documents say is typed once. */
const OF_NEIGHBOUR = 'troupe trial ../other';
const worked = new Set<string>();

function committed(folder: string): void {
  mkdirSync(folder);
  git(folder, 'init', '--quiet', '--initial-branch=main');
  write(folder, { 'README.md': '# A project\n', 'package.json': '{"name": "p", "version": "1.0.0"}\n' });
  commitAll(folder, 'first');
}

/** Files that a document shows, below `.workgraph`. */
const filesOf = (text: string): Record<string, string> =>
  Object.fromEntries(
    [...text.matchAll(/^```toml\n# (\.workgraph\/executors\/\S+)\n([\s\S]*?)^```$/gm)].map(
      ([, name = '', file = '']) => [name, file],
    ),
  );

/** A repository with a commit, a home without anything, and a neighbour once a line names it. */
class Reader {
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;

  constructor() {
    const place = room('reader');
    const home = path.join(place, 'home');
    this.cwd = path.join(place, 'my-project');
    mkdirSync(home);
    this.env = { ...WITH_CLIENT, HOME: home, TMPDIR: room('tmp') };
    committed(this.cwd);
    onTestFinished(() => endEverything(this.cwd));
  }

  /** Types a block; answers the lines that did not work, each with what was said. */
  async types(block: string): Promise<string[]> {
    const failed: string[] = [];
    for (const line of linesOf(block)) {
      if (worked.has(line)) continue;
      if (line.includes('../other') && !existsSync(path.join(this.cwd, '../other')))
        committed(path.join(this.cwd, '../other'));
      const end = line.startsWith('troupe ') ? await this.troupe(line) : this.shell(line);
      if (end.code !== 0) failed.push(`${line}: ${end.stderr || end.stdout}`);
      else if (line === OF_NEIGHBOUR) worked.add(line);
    }
    return failed;
  }

  private async troupe(line: string): Promise<Pick<Finished, 'code' | 'stdout' | 'stderr'>> {
    const [, ...words] = wordsOf(`${line}${ANSWERED[line] ?? ''}`);
    if (words[0] !== 'watch') return troupe(words, { cwd: this.cwd, env: this.env });
    // It follows until it is ended.
    const watch = start(words, { cwd: this.cwd, env: this.env });
    await until('the watch to follow', async () => {
      await this.types('troupe add "Tick" --id tick\ntroupe claim tick\ntroupe done tick\ntroupe reopen tick\n');
      return watch.stdout() !== '';
    });
    watch.child.kill('SIGINT');
    const { stdout, stderr } = await watch.finished;
    return { code: stderr.includes('error[') ? 1 : 0, stdout, stderr };
  }

  private shell(line: string): Pick<Finished, 'code' | 'stdout' | 'stderr'> {
    try {
      const stdout = execFileSync('bash', ['-c', line], {
        cwd: this.cwd,
        env: environment(this.env),
        encoding: 'utf8',
      });
      return { code: 0, stdout, stderr: '' };
    } catch (error) {
      return { code: 1, stdout: '', stderr: String(error) };
    }
  }
}

verifies('say.guides', 'the blocks of each guide work as typed, in a home without anything', async () => {
  const failed: string[] = [];
  const unused = new Set(NOT_TYPED.map(([, reason]) => reason));
  for (const name of GUIDES) {
    const text = read(`docs/guide/${name}`);
    const lines = linesOf(blocksOf(text).join('')).filter((line) => {
      const [, reason] = NOT_TYPED.find(([pattern]) => pattern.test(line)) ?? [];
      if (reason !== undefined) unused.delete(reason);
      return reason === undefined;
    });
    if (lines.length === 0) continue; // files only
    const reader = new Reader();
    await reader.types('troupe init\n');
    write(reader.cwd, filesOf(text));
    failed.push(...(await reader.types(lines.join('\n'))).map((line) => `${name}: ${line}`));
    await endEverything(reader.cwd);
  }
  expect(GUIDES.length).toBeGreaterThan(25);
  expect(failed).toEqual([]);
  expect([...unused]).toEqual([]);
});

verifies('say.guides', 'README and the first run work as typed, one line after the other', async () => {
  const reader = new Reader();
  const [casting = '', ...others] = blocksOf(read('README.md')).sort(
    (left, right) => Number(right.includes('cast propose')) - Number(left.includes('cast propose')),
  );
  expect(await new Reader().types(casting)).toEqual([]); // where there is no team
  const commands = others
    .join('')
    .split('\n')
    .filter((line) => !/^(npm|cd|$)/.test(line))
    .map((line) => line.replace('$PWD/dist/cli.cjs', CLI));
  expect(commands.length).toBeGreaterThan(20);
  expect(await reader.types(commands.join('\n'))).toEqual([]);
  expect(existsSync(path.join(reader.env['HOME'] ?? '', '.local/bin/troupe'))).toBe(true);

  const first = new Reader();
  const text = read('docs/guide/first-run.md');
  expect(await first.types(blocksOf(text).join(''))).toEqual([]);
  const quoted = [...text.matchAll(/`(troupe (?:output|why|show|prompt|problems|doctor)\b[^`]*)`/g)].map(
    ([, line = '']) => line,
  );
  expect(quoted.length).toBeGreaterThan(3);
  await until('the first attempt', async () => (await troupe(['output', 'say-hello-in-readme'], first)).code === 0);
  for (const line of quoted.filter((one) => !/ID/.test(one))) expect(await first.types(line)).toEqual([]);
});

/** Lines that look at a run, which begins a moment after the service: pages say to type them again. */
const LOOKS_AT_A_RUN = /^troupe output /;

verifies(
  'docs.recipes',
  'the first ten minutes and each recipe work as typed, in a home without anything',
  async () => {
    const failed: string[] = [];
    let typed = 0;
    for (const page of WALKS) {
      const lines = blocksOf(read(page)).join('');
      if (lines === '') continue;
      const reader = new Reader();
      if (!lines.includes('troupe init\n')) await reader.types('troupe init\n');
      for (const line of linesOf(lines)) {
        typed++;
        if (LOOKS_AT_A_RUN.test(line)) await until(line, async () => (await reader.types(line)).length === 0);
        else failed.push(...(await reader.types(line)).map((what) => `${page}: ${what}`));
      }
      await endEverything(reader.cwd);
    }
    expect(WALKS.length).toBeGreaterThan(10);
    expect(typed).toBeGreaterThan(50);
    expect(failed).toEqual([]);
  },
);
