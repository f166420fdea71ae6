import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { Writable } from 'node:stream';
import { expect, onTestFinished } from 'vitest';
import { composeProject } from '#main/compose.js';
import { projectAt } from '#main/project.js';
import { callOperation } from '#operations/call.js';
import type { OperationSpec } from '#operations/operation-spec.js';
import { OPERATIONS } from '#operations/table.js';
import type { CommandHost } from '#surfaces/cli/host.js';
import { runCommandLine } from '#surfaces/cli/program.js';
import { wordsOf } from '../../house/quoted-commands.js';
import { repository } from '../../repository.js';
import { verifies } from '../../verifies.js';

/** What is outside of `.squad/` and of the folder of the graph, with its text. */
function filesOutside(folder: string): Map<string, string> {
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const paths = files.map((entry) => path.relative(folder, path.join(entry.parentPath, entry.name)));
  const ours = paths.filter((file) => !/^\.(squad|workgraph|git)\//.test(file));
  return new Map(ours.map((file) => [file, readFileSync(path.join(folder, file), 'utf8')]));
}

/** A project, a person at its terminal who answers by rote, and what was there each time something was said to them. */
function terminal(answers: (string | undefined)[] = []) {
  const folder = repository({ 'README.md': '# Sample\n', 'package.json': '{"name":"sample"}\n' });
  const project = composeProject(projectAt(folder));
  onTestFinished(() => project.close());
  const said: { readonly text: string; readonly files: Map<string, string> }[] = [];
  const say = (text: string) => said.push({ text, files: filesOutside(folder) });
  const screenTo = (keep: (text: string) => void) =>
    new Writable({
      write: (chunk: Buffer, _, done) => {
        keep(chunk.toString());
        done();
      },
    }) as unknown as NodeJS.WriteStream;
  let out = '';
  const call = (spec: OperationSpec, input: unknown) =>
    callOperation(spec, project.context({ kind: 'person', name: 'tess' }), input);
  const host = {
    ...{ environment: {}, folder, input: { isTTY: false } },
    ...{
      out: screenTo((text) => {
        out += text;
      }),
      err: screenTo(say),
    },
    call,
    serviceAnswers: async () => false,
    findProject: () => folder,
    reading: () => undefined,
    ask: async (question: string) => {
      say(question);
      return answers.shift();
    },
  } as unknown as CommandHost;
  /** What changed outside of `.squad/`; everything of it was named before any of it was changed. */
  const changed = async (work: () => Promise<unknown>): Promise<string[]> => {
    const before = filesOutside(folder);
    said.length = 0;
    out = '';
    await work();
    const after = filesOutside(folder);
    const files = [...new Set([...before.keys(), ...after.keys()])].filter((f) => before.get(f) !== after.get(f));
    const named = said.filter(({ text }) => text.startsWith('Changes outside .squad/: '));
    for (const one of named) expect(one.files).toEqual(before);
    const names = named.flatMap(({ text }) =>
      text
        .slice(text.indexOf(':') + 1)
        .split(',')
        .map((word) => word.trim()),
    );
    expect(names.filter((name) => name !== '.workgraph/').sort()).toEqual(files.sort());
    return files;
  };
  const type = (line: string) =>
    changed(async () => {
      const code = await runCommandLine(wordsOf(line).slice(1), host);
      expect(code, said.map(({ text }) => text).join('')).toBe(0);
    });
  const questions = () => said.filter(({ text }) => text.endsWith('] ')).map(({ text }) => text);
  return { host, folder, call, type, changed, questions, out: () => out };
}

const FIRST = ['.gitattributes', '.gitignore'];
const OF_WRITER = '.claude/agents/trinity.md';

verifies(
  'squad.said',
  'a cast names what it writes outside of .squad/ before; for clients a person is asked',
  async () => {
    const no = terminal(['n']);
    await no.type('troupe cast propose --archetypes lead-architect,writer --universe "The Matrix"');
    expect(no.questions()).toEqual([]);
    expect(await no.type('troupe cast confirm')).toEqual(FIRST);
    expect(no.questions()).toEqual([expect.stringMatching(/^Client files outside \.squad\/: .*AGENTS\.md/)]);
    expect(no.out()).toContain('Its files: .squad/, and outside it .gitattributes, .gitignore, .workgraph/\n');

    const yes = terminal(['y', '', 'n']);
    await yes.type('troupe cast propose --archetypes lead-architect,writer --universe "The Matrix"');
    expect(await yes.type('troupe cast confirm')).toEqual(expect.arrayContaining([...FIRST, 'AGENTS.md', OF_WRITER]));
    // What the project has already is asked about too, and kept current unless somebody says no.
    expect(await yes.type('troupe member edit Trinity --archetype editor')).toEqual(
      expect.arrayContaining(['AGENTS.md', OF_WRITER]),
    );
    expect(yes.out()).toContain('Changed outside .squad/: ');
    expect(yes.questions()).toHaveLength(1);
    expect(await yes.type('troupe member edit Trinity --archetype writer')).toEqual([]);
    expect(yes.questions()).toHaveLength(1);
  },
);

verifies('squad.said', 'whoever said it by flag or setting, or is not there, is told and not asked', async () => {
  const { type, questions } = terminal();
  await type('troupe cast propose --archetypes lead-architect,writer --universe "The Matrix"');
  expect(await type('troupe cast confirm')).toEqual(FIRST);
  expect(await type('troupe squad render --clients')).toContain('AGENTS.md');
  expect(questions()).toEqual([]);
  expect(await type('troupe member retire Trinity')).toContain(OF_WRITER);
  expect(await type('troupe member edit Trinity --restore --json')).toContain(OF_WRITER);
  expect(questions()).toEqual([]);
  expect(await type('troupe blueprint apply support --intent new --clients')).toContain('AGENTS.md');
  expect(questions()).toEqual([]);
  await type('troupe decision add "Only ASCII in names" --type scope');
  await type('troupe memory add Neo "Names are short" --type pattern');
  expect(await type('troupe memory export')).toEqual(
    expect.arrayContaining([expect.stringMatching(/^\.agentweaver\/context\//)]),
  );
});

verifies(
  'squad.said',
  'a run that casts names its files before it writes them, and writes none for clients',
  async () => {
    const { call, type } = terminal();
    await call(OPERATIONS.find((one) => one.name === 'project.init') as OperationSpec, {});
    await call(OPERATIONS.find((one) => one.name === 'config.set') as OperationSpec, {
      key: 'casting.client_files',
      value: 'true',
    });
    expect(await type('troupe work start repository-review --cast --run none')).toEqual(FIRST);
  },
);
