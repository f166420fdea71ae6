import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect } from 'vitest';
import type { MailRight } from '#core/mail/conversation.js';
import { REPORT_VERBS, verbsOf } from '#core/runs/report-way.js';
import { isForPeopleOnly } from '#operations/declaration.js';
import { offerToPerson, offerToRun, PERSON_TIER_NAMES, toolName } from '#surfaces/mcp/offers.js';
import { listedPrompts, textOfPrompt } from '#surfaces/mcp/prompts.js';
import { readingAt, resourceTemplates } from '#surfaces/mcp/readings.js';
import { listed, toolOf } from '#surfaces/mcp/server.js';
import { verifies } from '../verifies.js';

const PROMPTS = path.resolve(import.meta.dirname, '../../data/prompts');
const WAYS = ['mcp__troupe__', 'mcp__troupe.', 'mcp_troupe_', 'troupe_'];

/** The text of prompts as a run reads it, with the names that its client gives to tools. */
function promptOf(files: readonly string[], prefix = 'mcp__troupe__'): string {
  const verbs = verbsOf({ by: 'tools', prefix }, 'troupe', 'a-task');
  const text = files.map((file) => readFileSync(path.join(PROMPTS, `${file}.md`), 'utf8')).join('\n');
  return text.replace(/\{\{([a-z-]+)\}\}/g, (whole, verb: string) => verbs[verb as keyof typeof verbs] ?? whole);
}

/** Tools that a run is told of, and their cost: a token is four characters of the JSON of `tools/list`. */
async function toldOf(prompt: string, mail: MailRight = 'none') {
  const offer = offerToRun('a-task', mail, prompt);
  const tools = (await Promise.all(offer.specs.filter(offer.lists).map((spec) => toolOf(spec, offer)))).map(listed);
  const tokens = Math.ceil(JSON.stringify({ tools }).length / 4);
  return { names: tools.map(({ name }) => name), tokens };
}

const EVERY = ['preamble', 'rules', 'commands', 'commands-files', 'grow'];
const ROLES = {
  plain: { files: EVERY.slice(1), gets: [] },
  'sees the graph': { files: [...EVERY, 'graph', 'patterns'], gets: ['task_ready', 'task_edit', 'task_why'] },
  'applies functions': { files: [...EVERY.slice(1), 'functions'], gets: ['func_show', 'func_apply'] },
  'cannot write to git': { files: [...EVERY.slice(1), 'git-tool'], gets: ['task_commit'] },
  'a member': { files: [...EVERY.slice(1), 'team', 'team-task'], gets: ['task_submit', 'team_say', 'artifact_get'] },
  'the leader': {
    files: [...EVERY.slice(1), 'team', 'team-lead', 'team-mail'],
    gets: ['team_task', 'team_tasks', 'team_say'],
  },
  'a reviewer': { files: [...EVERY.slice(1), 'team-review'], gets: ['task_review', 'artifact_get', 'artifact_list'] },
  'a seat': { files: [...EVERY.slice(1), 'hand-in'], gets: ['formation_hand_in', 'formation_read'] },
} as const;

verifies('mcp.tiers', 'a run is told of ten tools in 1,500 tokens, and of more by its role', async () => {
  const rows: string[] = [];
  for (const [role, { files, gets }] of Object.entries(ROLES)) {
    const { names, tokens } = await toldOf(promptOf(files));
    rows.push(`${role}: ${names.length} tools, ${tokens} tokens`);
    expect(names, role).toEqual(expect.arrayContaining([...gets]));
    expect(tokens, role).toBeLessThanOrEqual(2_600);
    if (role === 'plain') expect([names.length <= 10, tokens <= 1_500], rows.join()).toEqual([true, true]);
    else expect(names.length, role).toBeGreaterThan(10);
  }
  const whole = await toldOf(
    Object.values(REPORT_VERBS)
      .map(({ tool }) => tool)
      .join(' '),
    'send',
  );
  rows.push(`all at once: ${whole.names.length} tools, ${whole.tokens} tokens`);
  console.log(rows.join('\n'));
  const reviewer = (await toldOf(promptOf(ROLES['a reviewer'].files))).names;
  for (const foreign of ['task_submit', 'team_task', 'team_say', 'formation_hand_in'])
    expect(reviewer).not.toContain(foreign);
});

verifies(
  'mcp.tiers',
  'no prompt names a tool that its run does not have, by whatever name its client gives it',
  async () => {
    const files = readdirSync(PROMPTS).map((file) => file.replace(/\.md$/, ''));
    const tools = new Set(Object.values(REPORT_VERBS).map(({ tool }) => tool));
    let named = 0;
    for (const prefix of WAYS)
      for (const file of files) {
        const prompt = promptOf([file], prefix);
        const { names } = await toldOf(prompt, 'send');
        for (const tool of tools) {
          if (!prompt.includes(`\`${prefix}${tool}\``)) continue;
          named++;
          expect(names, `${file} names ${tool}`).toContain(tool);
        }
      }
    expect(named).toBeGreaterThan(100);
  },
);

verifies(['mcp.tiers', 'sec.mcp'], 'what is not listed answers all the same, and nothing of it is for people', () => {
  const { specs } = offerToRun('a-task', 'send', '');
  expect(specs.map(toolName)).toEqual(expect.arrayContaining(['task_commit', 'team_say', 'formation_hand_in']));
  expect(specs.filter(isForPeopleOnly)).toEqual([]);
});

verifies('mcp.tiers', 'tokens of the tools of a person, by tier', async () => {
  const figures: Record<string, number> = {};
  for (const tier of PERSON_TIER_NAMES) {
    const offer = offerToPerson([tier]);
    const tools = (await Promise.all(offer.specs.map((spec) => toolOf(spec, offer)))).map(listed);
    figures[`${tier}, ${tools.length} tools`] = Math.ceil(JSON.stringify({ tools }).length / 4);
  }
  console.log(figures);
  expect(Object.values(figures)[0]).toBeLessThanOrEqual(3_000);
});

verifies('mcp.tiers', 'tasks, traces and teams have addresses; prompts name tools that a person has', () => {
  expect(resourceTemplates().map(({ uriTemplate }) => uriTemplate)).toEqual([
    'troupe://task/{id}',
    'troupe://trace/{id}',
    'troupe://team/{team}',
  ]);
  expect(readingAt('troupe://task/a%20b')).toMatchObject({ spec: { name: 'task.show' }, input: { id: 'a b' } });
  expect(readingAt('troupe://trace/x')).toMatchObject({ spec: { name: 'task.attempts' }, input: { id: 'x' } });
  expect(readingAt('troupe://team/x')).toMatchObject({ spec: { name: 'team.show' }, input: { team: 'x' } });
  for (const uri of [
    'troupe://file/x',
    'troupe://task/',
    'troupe://task/a/b',
    'troupe://task/%',
    'file:///etc/passwd',
    'troupe://constructor/x',
  ])
    expect(readingAt(uri), uri).toBeUndefined();
  const names = offerToPerson([]).specs.map(toolName);
  for (const {
    name,
    arguments: [argument],
  } of listedPrompts()) {
    const text = textOfPrompt(name, { [argument?.name ?? '']: 'write-the-parser' }) ?? '';
    expect(text).toContain('"write-the-parser"');
    for (const tool of text.match(/\b(?:task|status|agent|worktree|session)_\w+/g) ?? []) expect(names).toContain(tool);
  }
  expect([textOfPrompt('review', {}), textOfPrompt('constructor', {})]).toEqual([undefined, undefined]);
  expect(textOfPrompt('handoff', {})).toContain('what we were doing last');
});
