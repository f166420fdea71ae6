import pc from 'picocolors';
import { expect, test } from 'vitest';
import { renderers as agency } from '#surfaces/cli/render/agency.js';
import { renderers as casting } from '#surfaces/cli/render/casting.js';
import { renderers as graph } from '#surfaces/cli/render/graph.js';
import { renderers as memory } from '#surfaces/cli/render/memory.js';
import { renderers as messages } from '#surfaces/cli/render/messages.js';
import { renderers as roles } from '#surfaces/cli/render/roles.js';
import { renderers as settings } from '#surfaces/cli/render/settings.js';
import { renderers as teams } from '#surfaces/cli/render/teams.js';
import type { AnswerOf, Screen } from '#surfaces/cli/screen.js';
import { printFirst, printTable } from '#surfaces/cli/table.js';

const AT = '2026-03-01T10:00:00Z';

function shown(print: (screen: Screen) => unknown): string[] {
  const lines: string[] = [];
  const line = (text = '') => lines.push(text);
  print({ width: 200, colour: pc.createColors(false), unicode: true, line, aside: () => undefined } as Screen);
  return lines;
}

test('a list shows a charter by its words, and leaves out what an event does not have', () => {
  const charter = { number: 1, agent: 'neo', type: 'core_context', importance: 'high', content: '# Neo\n\nLeads.' };
  const memories = { memories: [{ ...charter, created_by: 'tess', created_at: AT }] } as AnswerOf<'memory.list'>;
  expect(shown((screen) => memory['memory.list'](memories, screen)).at(-1)).toMatch(/ago {2}Neo$/);
  const event = { seq: 3, at: AT, kind: 'task-created', by: 'tess', payload: { title: 'Anyone', member: null } };
  const events = { team_id: 'a', events: [event], more: false } as unknown as AnswerOf<'team.events'>;
  expect(shown((screen) => teams['team.events'](events, screen)).at(-1)).toMatch(
    /task-created {2}tess {2}title: Anyone$/,
  );
});

test('a report about roles does not deny those that are in lanes alone', () => {
  const [said] = shown((screen) => roles['roles.evolve']({ roles: 0, files_listed: true, findings: [] }, screen));
  expect(said).toBe('No core roles yet, so there is nothing to report. `troupe roles show` shows them all.');
});

test('an empty list of what is retired does not deny the roles in use', () => {
  const list = { kind: 'role', retired: true, entities: [], warnings: [] } as AnswerOf<'agency.list'>;
  expect(shown((screen) => agency['agency.list'](list, screen))).toEqual(['Nothing is retired.']);
});

test('a message about a task that has ended is not said to be read now', () => {
  const sent = (task: object) =>
    shown((screen) => messages['msg.send']({ number: 1, events: [], task } as unknown as AnswerOf<'msg.send'>, screen));
  expect(sent({ id: 't', status: 'in-progress', assigned: 'agent-1' })).toEqual([
    'Message 1 about t is sent; agent-1 can read it now.',
  ]);
  expect(sent({ id: 't', status: 'open' })).toEqual(['Message 1 about t is sent; the next attempt will read it.']);
  expect(sent({ id: 't', status: 'done', assigned: 'agent-1' })).toEqual([
    'Message 1 about t is sent; the next attempt will read it, if there is one.',
  ]);
});

test('trust that is given again is told as that, not as a change that nobody agreed to', () => {
  const trust = { folder: '/shop', trusted: true, changed: false, tasks: 0, commands: [], sha256: '', settings: [] };
  const before = { at: new Date(Date.now() - 120_000).toISOString(), commands: 0, same: false };
  const said = (renewed: boolean, tasks = 0) =>
    shown((screen) => settings['project.trust']({ ...trust, before, renewed, tasks }, screen)).at(-1);
  expect([said(true), said(false), said(false, 1)]).toEqual([
    '/shop was trusted 2m ago, and is again, with the commands and settings of today.',
    '/shop was trusted 2m ago.',
    '/shop was trusted 2m ago; its commands or settings have changed since. Agree to them with `troupe trust`.',
  ]);
});

test('a proposal without anybody new does not list the files of names that nobody gets', () => {
  const member = { proposed_name: 'Neo', held_by: 'Luke', justification: '', role: { id: 'lead', title: 'Lead' } };
  const proposal = {
    ...{ revision: 1, created_at: AT, expires_at: AT, rationale: 'A shop.', universe: 'The Matrix', warnings: [] },
    ...{ existing_team_present: true, outside: ['.gitignore'], client_files: ['.claude/agents/neo.md'] },
    members: [member],
  } as unknown as AnswerOf<'casting.show'>;
  const lines = (more: object) => shown((screen) => casting['casting.show']({ ...proposal, ...more }, screen));
  expect(lines({}).join('\n')).not.toMatch(/neo\.md|Confirming/);
  expect(lines({ intent: 'recast' }).join('\n')).toContain('With --clients, also .claude/agents/neo.md.');
});

test('a list says which tasks are paused', () => {
  const row = { id: 'a', title: 'A', status: 'open', ready: false, after: [], tags: [] };
  const tasks = [
    { ...row, paused: true },
    { ...row, id: 'b', title: 'B', paused: false },
  ];
  const list = { tasks, total: 2, internal: 0 } as unknown as AnswerOf<'task.list'>;
  expect(shown((screen) => graph['task.list'](list, screen)).slice(1)).toEqual([
    'a   ○ open  A · paused',
    'b   ○ open  B',
  ]);
});

test('a column of a field makes text inert, puts numbers to the right, and says how long ago a time was', () => {
  const at = new Date(Date.now() - 3 * 3_600_000).toISOString();
  const rows = [
    { id: 'a\u001b', tags: ['x', 'y'], task_count: 12, at, note: null },
    { id: 'b', tags: [], task_count: 3, at, note: 'here' },
  ];
  expect(
    shown((screen) => printTable(screen, rows, [['id', 'TAG=tags', 'task_count', 'SINCE=at ago', 'note…']])),
  ).toEqual([
    'ID       TAG   TASK COUNT  SINCE   NOTE',
    'a\\u{1b}  x, y          12  3h ago',
    'b                       3  3h ago  here',
  ]);
  expect(shown((screen) => printFirst(screen, rows, 1, [['task_count']]))).toEqual([
    'TASK COUNT',
    '        12',
    '  and 1 more',
  ]);
});
