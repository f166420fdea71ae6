import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MemoryAgency } from '#adapters/agency/memory-agency.js';
import { LocalFiles } from '#adapters/files/local-files.js';
import { readTextFile } from '#adapters/files/text-file.js';
import { FunctionFolder } from '#adapters/functions/function-folder.js';
import { ProcessTable } from '#adapters/processes/process-table.js';
import { WordingFolder } from '#adapters/prompts/wording-folder.js';
import { FileRunFolders } from '#adapters/runs/run-outputs.js';
import { LocalSkills } from '#adapters/skills/local-skills.js';
import { SquadFolder } from '#adapters/squad/squad-folder.js';
import { HttpsWeb } from '#adapters/web/https-web.js';
import { claimTask, unclaimTask } from '#core/graph/moves.js';
import type { Context } from '#operations/operation.js';
import { type Attempt, promptOf } from '#operations/prompts/prompt-of.js';
import { prompt } from '#operations/prompts/show.js';
import { blockOf, sectionOf, taken } from '../../core/prompts/facts.js';
import { world } from '../../e2e/world.js';
import { room } from '../../room.js';
import { verifies } from '../../verifies.js';

const WORDING = new WordingFolder(path.resolve(import.meta.dirname, '../../../data/prompts'));

/** A project on disk behind a graph in memory. */
function place() {
  const own = world();
  const projectFolder = room('book');
  const web = new HttpsWeb({ resolve: async () => ['10.0.0.1'] });
  const skills = new LocalSkills({ projectFolder, home: projectFolder, web, readText: readTextFile });
  let fresh = 0;
  const context: Context = {
    ...own.context,
    projectFolder,
    freshId: () => `fresh-id-${++fresh}`,
    files: async () => new LocalFiles(projectFolder),
    agency: async () => new MemoryAgency(),
    functions: async () => new FunctionFolder(projectFolder),
    squad: async () => new SquadFolder(projectFolder, new ProcessTable()),
    runs: async () => new FileRunFolders(path.join(projectFolder, '.workgraph/agents'), async () => new ProcessTable()),
    skills: async () => skills,
    wording: async () => WORDING,
  };
  const write = (name: string, text: string) => {
    mkdirSync(path.dirname(path.join(projectFolder, name)), { recursive: true });
    writeFileSync(path.join(projectFolder, name), text);
  };
  const told = async (id: string, attempt?: Attempt) => {
    const found = await promptOf(context, await own.store.view(), id, attempt);
    const nonce = /^<<<data-(\S+) /m.exec(found.text)?.[1] ?? '';
    return { ...found, nonce, text: found.text.replaceAll(nonce, 'Nq7-fresh_Random0') };
  };
  return { ...own, context, projectFolder, write, told };
}

test('scope, mode and model: what the task says, then what whoever starts it says, then the default', async () => {
  const { add, told } = place();
  await add('plain');
  await add('own', { context_scope: 'clean', exec_mode: 'light', model: 'small' });
  expect(await told('plain')).toMatchObject({
    scope: 'task',
    mode: 'full',
    executor: 'claude',
    number: 1,
    warnings: [],
  });
  expect(await told('own')).toMatchObject({ scope: 'clean', mode: 'light', model: 'small' });
  expect((await told('own', { scope: 'full' })).sections.at(-1)?.name).toBe('graph');
  expect((await told('plain')).text).toContain('`"$TROUPE_BIN" done plain`');
  // Rules on commands match plain names, not what a variable holds.
  expect((await told('own', { scope: 'task' })).text).toContain('`troupe done own`');
  expect((await told('own', { scope: 'task', program: '/opt/troupe' })).text).toContain('`/opt/troupe done own`');
});

test('the number of the attempt is that of the claim, or of the next one', async () => {
  const { add, told, store, context } = place();
  await add('a');
  const by = { name: 'agent-1' };
  expect((await told('a')).text).toContain('You are attempt 1 at');
  await store.commit((view) => claimTask(view, 'a', { now: context.clock.now(), by }));
  expect((await told('a')).number).toBe(1);
  await store.commit((view) => unclaimTask(view, 'a', { now: context.clock.now(), by, reason: 'it died' }));
  const second = await told('a');
  expect(second.text).toContain('You are attempt 2 at');
  expect(sectionOf(second, 'previous')).toContain('Released: it died');
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
  expect((await told('a', { scope: 'clean' })).sections.map(({ name }) => name)).toEqual(['header', 'task']);
  const graph = await told('a', { scope: 'graph' });
  expect(blockOf(graph.text, 'functions')).toBe('- release: All steps');
  expect(blockOf(graph.text, 'context.md')).toBe('chapter one');
  expect(graph.text).not.toContain('for agents');
  expect(blockOf((await told('a', { scope: 'full' })).text, 'AGENTS.md')).toBe('for agents');
  write('CLAUDE.md', 'for one client');
  const full = await told('a', { scope: 'full', project: { name: 'Book', description: 'About things.' } });
  expect(blockOf(full.text, 'CLAUDE.md')).toBe('for one client');
  expect(full.text).not.toContain('for agents');
  expect(blockOf(full.text, 'project')).toBe('name: Book\nAbout things.');
});

test('files that lead out of the project or are too long are left out or cut, and said', async () => {
  const { add, told, write, projectFolder } = place();
  await add('a');
  const secret = path.join(room(), 'secret');
  writeFileSync(secret, 'the key');
  symlinkSync(secret, path.join(projectFolder, 'CLAUDE.md'));
  write('AGENTS.md', 'x'.repeat(100_000));
  const { text, warnings, sections } = await told('a', { scope: 'full' });
  expect(text).not.toContain('the key');
  expect(warnings).toEqual([expect.stringContaining('CLAUDE.md')]);
  expect(sections.at(-1)).toMatchObject({ name: 'guidance', cut: true });
  expect(taken(text).blocks.at(-1)?.label).toBe('AGENTS.md');
});

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
      expect.stringContaining('leads out'),
      expect.stringContaining('not among the hosts'),
    ]);
  },
);

test('a broken function file is no reason to stop', async () => {
  const { add, told, write } = place();
  await add('a');
  write('.workgraph/functions', 'not a folder');
  expect(sectionOf(await told('a'), 'functions')).toContain('func list');
});

test('prompt shows what would be told, and of a past attempt what was', async () => {
  const { add, context, store, write } = place();
  await add('a');
  await add('b', { exec: 'make' });
  const now = await prompt.run(context, { id: 'a', scope: 'clean' });
  expect(now).toMatchObject({ task: 'a', attempt: 1, scope: 'clean', mode: 'full', executor: 'claude', warnings: [] });
  expect(now.sections.map(({ name }) => name)).toEqual(['header', 'task']);
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
  await expect(past(1)).rejects.toThrow(missing('nothing is kept'));
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
  await expect(past(2)).rejects.toThrow(missing('nothing is kept'));
  await expect(prompt.run(context, { id: 'a', attempt: 1, scope: 'full' })).rejects.toThrow('--scope or --attempt');
  await expect(prompt.run(context, { id: 'nowhere' })).rejects.toThrow(
    expect.objectContaining({ code: 'unknown_task' }),
  );
});
