import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { FunctionFolder } from '#adapters/catalog/function-folder.js';
import { LocalSkills } from '#adapters/catalog/local-skills.js';
import { WordingFolder } from '#adapters/catalog/wording-folder.js';
import { HttpsWeb } from '#adapters/files/https-web.js';
import { LocalFiles } from '#adapters/files/local-files.js';
import { readTextFile } from '#adapters/files/text-file.js';
import { CoordinatorsFile } from '#adapters/processes/coordinators-file.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { FileRunFolders } from '#adapters/runs/run-outputs.js';
import { ConfigFile } from '#adapters/settings/config-file.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { claimTask, unclaimTask } from '#core/graph/moves.js';
import { CONTEXT_SCOPES } from '#core/graph/task.js';
import { taskOf } from '#core/graph/task-of.js';
import { CLIENTS, type Client } from '#core/runs/plan.js';
import type { EffectiveConfig } from '#core/settings/settings.js';
import { settingsFrom } from '#core/settings/settings.js';
import type { Context } from '#operations/operation.js';
import { attemptAt, type PromptRequest } from '#operations/runs/prompt-attempt.js';
import { type KnownAttempt, promptOf } from '#operations/runs/prompt-of.js';
import { prompt } from '#operations/runs/show-prompt.js';
import { worktreesOf } from '../../adapters/worktrees/place.js';
import { AgencyInMemory } from '../../agency-in-memory.js';
import { bothPorts } from '../../both-ports.js';
import { blockOf, sectionOf, taken } from '../../core/runs/facts.js';
import { world } from '../../e2e/world.js';
import { ALONE } from '../../lone-squad.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';
import { PLAIN_ATTEMPT } from './plain-attempt.js';

const WORDING = new WordingFolder(path.resolve(import.meta.dirname, '../../../data/prompts'));

const IN_FORCE: EffectiveConfig = { settings: settingsFrom({}).settings, executor: 'claude', model: undefined };
const nonceOf = (text: string) => /^<<<data-(\S+) /m.exec(text)?.[1] ?? '';

/** A project on disk behind a graph in memory. */
function place() {
  const own = world();
  const projectFolder = room('book');
  mkdirSync(path.join(projectFolder, '.workgraph'));
  const web = new HttpsWeb({ resolve: async () => ['10.0.0.1'] });
  const skills = new LocalSkills({ projectFolder, home: projectFolder, web, readText: readTextFile });
  const place = { processes: new ProcessTable(), clock: own.clock };
  let fresh = 0;
  const context: Context = {
    ...own.context,
    projectFolder,
    freshId: () => `fresh-id-${++fresh}`,
    files: async () => new LocalFiles(projectFolder),
    agency: async () => new AgencyInMemory(),
    functions: async () => new FunctionFolder(projectFolder),
    squad: async () => new SquadFolder(projectFolder, new ProcessTable(), ALONE),
    runs: async () => new FileRunFolders(path.join(projectFolder, '.workgraph/agents'), async () => new ProcessTable()),
    settings: async () => new ConfigFile({ ...place, folder: path.join(projectFolder, '.workgraph') }),
    sessions: async () => new CoordinatorsFile({ ...place, folder: path.join(projectFolder, '.workgraph') }),
    ...bothPorts(async () => worktreesOf(projectFolder)),
    skills: async () => skills,
    wording: async () => WORDING,
  };
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(projectFolder, name)), { recursive: true });
    writeFileSync(path.join(projectFolder, name), text);
  };
  const told = async (id: string, attempt: Partial<KnownAttempt> = {}) => {
    const found = await promptOf(context, await own.store.view(), id, { ...PLAIN_ATTEMPT, ...attempt });
    const nonce = nonceOf(found.text);
    return { ...found, nonce, text: found.text.replaceAll(nonce, 'Nq7-fresh_Random0') };
  };
  const planned = async (
    id: string,
    { inForce = IN_FORCE, ...more }: Partial<PromptRequest> & { inForce?: EffectiveConfig } = {},
  ) => {
    const view = await own.store.view();
    return await attemptAt(context, view, taskOf(view, id), inForce, { number: 1, ...more });
  };
  return { ...own, context, projectFolder, write, told, planned };
}

test('scope, mode and model: what the task says, then what whoever starts it says, then the default', async () => {
  const { add, planned } = place();
  await add('plain');
  await add('own', { context_scope: 'clean', exec_mode: 'light', model: 'small' });
  expect((await planned('plain')).prompt).toMatchObject({ scope: 'task', mode: 'full', executor: 'claude', number: 1 });
  expect((await planned('own')).prompt).toMatchObject({ scope: 'clean', mode: 'light', model: 'small' });
  expect((await planned('own', { scope: 'full' })).prompt.sections.at(-1)?.name).toBe('graph');
  expect((await planned('own', { executor: 'codex', model: 'large' })).prompt).toMatchObject({
    executor: 'codex',
    model: 'large',
  });
  expect((await planned('plain')).prompt.text).toContain('`mcp__troupe__task_done`');
});

test('the number of the attempt is that of the claim, or of the next one', async () => {
  const { add, store, context } = place();
  await add('a');
  const by = { name: 'agent-1' };
  const now = async () => await prompt.run(context, { id: 'a' });
  expect((await now()).text).toContain('You are attempt 1 at');
  await store.commit((view) => claimTask(view, 'a', { now: context.clock.now(), by }));
  expect((await now()).attempt).toBe(1);
  await store.commit((view) => unclaimTask(view, 'a', { now: context.clock.now(), by, reason: 'it died' }));
  const second = await now();
  expect(second.text).toContain('You are attempt 2 at');
  expect(second.text).toContain('Released: it died');
});

test('each prompt has a nonce of its own', async () => {
  const { add, told } = place();
  await add('a');
  expect((await told('a')).nonce).not.toBe((await told('a')).nonce);
});

test('the files of the project come in with the scope that shows them', async () => {
  const { add, told, write } = place();
  await add('a');
  write('AGENTS.md', 'for agents');
  write('.workgraph/context.md', 'chapter one');
  write(
    '.workgraph/functions/release.yaml',
    'kind: trace-function\nid: release\nname: Release\nversion: 1\ndescription: All steps\ntasks:\n  - template_id: a\n    title: A\n',
  );
  expect((await told('a', { scope: 'clean' })).sections.map(({ name }) => name)).toEqual([
    'header',
    'task',
    'commands',
  ]);
  const graph = await told('a', { scope: 'graph' });
  expect(blockOf(graph.text, 'functions')).toBe('- release: All steps');
  expect(blockOf(graph.text, 'context.md')).toBe('chapter one');
  const full = await told('a', { scope: 'full', project: { name: 'Book', description: 'About things.' } });
  expect(blockOf(full.text, 'project')).toBe('name: Book\nAbout things.');
});

/** What each client reads of a project by itself, and so is told. */
const RULES: Readonly<Record<Client, readonly string[]>> = {
  claude: ['CLAUDE.md'],
  codex: ['AGENTS.md'],
  gemini: ['GEMINI.md', 'AGENTS.md'],
  opencode: ['AGENTS.md'],
  qwen: ['QWEN.md', 'AGENTS.md'],
  pi: ['AGENTS.md'],
};

verifies('hold.rules', 'each client is told the files it would read, in every scope but clean', async () => {
  const { add, planned, write } = place();
  await add('a');
  for (const file of ['CLAUDE.md', 'AGENTS.md', 'GEMINI.md', 'QWEN.md']) write(file, `Written in ${file}.`);
  for (const executor of CLIENTS) {
    for (const scope of CONTEXT_SCOPES) {
      const { text } = (await planned('a', { executor, scope })).prompt;
      const labels = taken(text, nonceOf(text)).blocks.flatMap(({ label }) => /^rules: (.*)/.exec(label)?.[1] ?? []);
      expect(labels, `${executor} ${scope}`).toEqual(scope === 'clean' ? [] : RULES[executor]);
    }
  }
});

verifies(
  'hold.rules',
  'a file that another links to is told once; without a file of its own a client takes another',
  async () => {
    const { add, planned, write, projectFolder } = place();
    await add('a');
    write('AGENTS.md', 'Use tabs.');
    expect((await planned('a')).prompt.text).toContain(' rules: AGENTS.md\nUse tabs.');
    symlinkSync('AGENTS.md', path.join(projectFolder, 'GEMINI.md'));
    expect((await planned('a', { executor: 'gemini' })).prompt.text.match(/Use tabs/g)).toHaveLength(1);
  },
);

verifies('hold.rules', 'files that lead out of the project or are too long are left out or cut, and said', async () => {
  const { add, planned, write, projectFolder } = place();
  await add('a');
  const secret = path.join(room(), 'secret');
  writeFileSync(secret, 'the key');
  symlinkSync(secret, path.join(projectFolder, 'CLAUDE.md'));
  write('AGENTS.md', 'x'.repeat(100_000));
  const { text, warnings, sections } = (await planned('a')).prompt;
  expect(text).not.toContain('the key');
  expect(warnings).toEqual([expect.stringContaining('CLAUDE.md')]);
  const rules = sections.find(({ name }) => name === 'rules');
  expect(rules).toMatchObject({ cut: true });
  expect(rules?.bytes).toBeLessThanOrEqual(16 * 1024);
  expect(taken(text, nonceOf(text)).blocks.at(-1)?.label).toBe('rules: AGENTS.md');
});

verifies(
  'hold.prompt.lean',
  'who may add no tasks, by the settings or by the depth, is told nothing of it',
  async () => {
    const { add, planned } = place();
    await add('a');
    await add('b', { parent: 'a' });
    const limited = (guardrails: object) => ({
      inForce: { ...IN_FORCE, settings: settingsFrom({ guardrails }).settings },
    });
    const names = async (id: string, guardrails: object) =>
      (await planned(id, limited(guardrails))).prompt.sections.map(({ name }) => name);
    expect(await names('a', {})).toContain('grow');
    expect(await names('a', { max_child_tasks_per_agent: 0 })).not.toContain('grow');
    expect(await names('a', { max_task_depth: 1 })).toContain('grow');
    expect(await names('b', { max_task_depth: 1 })).not.toContain('grow');
  },
);

verifies(
  'prompt.identity',
  'a task of a member of the team is told the charter; one that cannot be read blocks nothing',
  async () => {
    const { add, told, write, projectFolder } = place();
    await add('a', { member: 'Ellen Ripley' });
    await add('b', { member: 'Nobody' });
    await add('c', { member: '../../etc' });
    await add('d', { member: 'Linked' });
    write('.squad/agents/ellen-ripley/charter.md', '# Ellen Ripley\n\nI own the airlock.\n');
    mkdirSync(path.join(projectFolder, '.squad/agents/linked'));
    symlinkSync('/etc/hostname', path.join(projectFolder, '.squad/agents/linked/charter.md'));
    const ripley = await told('a', { scope: 'clean' });
    expect(blockOf(ripley.text, 'identity')).toBe('member of the team: Ellen Ripley');
    expect(blockOf(ripley.text, 'identity: charter')).toContain('I own the airlock.');
    for (const id of ['b', 'c', 'd']) expect(sectionOf(await told(id), 'identity')).not.toContain('charter');
    expect((await told('b')).warnings).toEqual([]);
    expect((await told('d')).warnings).toEqual([expect.stringContaining('charter of Linked')]);
  },
);

test('an agent that is not there is said to be missing', async () => {
  const { add, told } = place();
  await add('a', { agent: '0123456789abcdef' });
  await add('b');
  expect((await told('a')).warnings).toEqual([expect.stringContaining('no such agent')]);
  expect((await told('b')).warnings).toEqual([]);
});

verifies(
  ['skill.resolve', 'skill.url'],
  'a skill that cannot be had is a warning in the prompt and beside it',
  async () => {
    const { add, told, write } = place();
    await add('a');
    write('docs/style.md', 'Short sentences.');
    const skills = [
      { name: 'prose' },
      { file: 'docs/style.md' },
      { file: 'none.md' },
      { url: 'https://intra.example/x' },
      { inline: 'Be kind.' },
    ];
    const origin = { imported: false, allowHosts: [] };
    const { text, warnings } = await told('a', { skills, origin, identity: { role: { name: 'Writer' } } });
    expect(blockOf(text, 'skill 2')).toBe('Short sentences.');
    expect(blockOf(text, 'skill 5')).toBe('Be kind.');
    expect(blockOf(text, 'skills')).toContain('3. file none.md: NOT AVAILABLE, There is no such file.');
    expect(blockOf(text, 'skills')).toMatch(/4\. url \S+: NOT AVAILABLE, .*not a public address/);
    expect(warnings).toHaveLength(2);
    expect(blockOf(text, 'identity')).toContain('- prose');
    // Nobody said where the role comes from: its skills reach nothing outside of the project.
    const foreign = await told('a', { skills: [{ file: '/etc/hostname' }, { url: 'https://docs.example/' }] });
    expect(foreign.warnings).toEqual([
      expect.stringContaining('is outside'),
      expect.stringContaining('not an allowed host'),
    ]);
  },
);

test('a broken function file is no reason to stop', async () => {
  const { add, told, write } = place();
  await add('a');
  write('.workgraph/functions', 'not a folder');
  expect((await told('a')).sections.map(({ name }) => name)).not.toContain('functions');
});

test('prompt shows what would be told, and of a past attempt what was', async () => {
  const { add, context, store, write } = place();
  await add('a');
  await add('b', { exec: 'make' });
  const now = await prompt.run(context, { id: 'a', scope: 'clean' });
  expect(now).toMatchObject({ task: 'a', attempt: 1, scope: 'clean', mode: 'full', executor: 'claude', warnings: [] });
  expect(now.sections.map(({ name }) => name)).toEqual(['header', 'task', 'commands']);
  expect(now.bytes).toBe(Buffer.byteLength(now.text));
  expect((await prompt.run(context, { id: 'b' })).warnings).toEqual([expect.stringContaining('shell')]);

  const missing = (words: string) =>
    expect.objectContaining({ code: 'not_found', message: expect.stringContaining(words) });
  const past = (attempt: number) => prompt.run(context, { id: 'a', attempt });
  await expect(past(1)).rejects.toThrow(missing('no such attempt'));
  const options = { now: context.clock.now(), by: { name: 'agent-7' } };
  await store.commit((view) => claimTask(view, 'a', options));
  await store.commit((view) => unclaimTask(view, 'a', options));
  await store.commit((view) => claimTask(view, 'a', { ...options, by: { name: '../agent-8' } }));
  await expect(past(1)).rejects.toThrow(missing('was not kept'));
  write('.workgraph/agents/agent-7/prompt.txt', 'do it\n');
  expect(await past(1)).toEqual({
    task: 'a',
    attempt: 1,
    run: 'agent-7',
    bytes: 6,
    sections: [],
    warnings: [],
    text: 'do it\n',
  });
  await expect(past(2)).rejects.toThrow(missing('was not kept'));
  await expect(prompt.run(context, { id: 'a', attempt: 1, scope: 'full' })).rejects.toThrow('--scope or --attempt');
  await expect(prompt.run(context, { id: 'nowhere' })).rejects.toThrow(
    expect.objectContaining({ code: 'unknown_task' }),
  );
});
