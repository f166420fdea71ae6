import path from 'node:path';
import { expect } from 'vitest';
import { TroupeError } from '#kernel/errors.js';
import { ROLE_PROMPT_LIMITS } from '#kernel/limits/role-prompts.js';
import type { Context } from '#operations/operation.js';
import { followAccepted } from '#operations/roles/acceptance.js';
import { rolesCandidates, rolesGraduate } from '#operations/roles/graduate.js';
import { learn } from '#operations/roles/learn.js';
import { check, evolve, list, show } from '#operations/roles/look.js';
import { rolesAccept, rolesProposals, rolesPropose, rolesReject } from '#operations/roles/proposals.js';
import { roleMattersOf } from '#operations/roles/role-matters.js';
import { retire, revive } from '#operations/roles/row-moves.js';
import { sessionStart } from '#operations/roles/session-start.js';
import { world } from '../../e2e/world.js';
import { RolesInMemory } from '../../roles-in-memory.js';
import { verifies } from '../../verifies.js';
import { Calls } from '../told.js';

const core = (name: string, ...solo: string[]) =>
  `${[
    `# ${name}`,
    '',
    '## Charter',
    '',
    `Is a ${name}.`,
    '',
    '## When to use',
    '',
    '- For work',
    '',
    '## Learnings (core)',
    '',
  ].join('\n')}\n- 2026-01-01 — ask twice\n\n## Learnings (solo)\n\n${solo.map((one) => `- ${one}\n`).join('')}`;
const row = (name: string, ...lines: string[]) => [`### ${name}`, '- status: stable', ...lines, ''].join('\n');
const TEXTS = [
  ['.claude/roles/skeptic.md', core('skeptic', 'look at `gone.md`', 'and at `lost.md` (context-independent)')],
  ['.claude/roles/alone.md', core('alone')],
  [
    '.claude/roles/crew.md',
    `${row('qa', '- role: skeptic', '- runs: clean 1, thin 0, cuts 3', '- learnings:', '  - Check the unit first')}${row('dev')}### odd\n- status: what\n`,
  ],
  ['.claude/roles/panel.md', row('critic', '- role: skeptic', '- learnings:', '  - 2026-02-01 — check the unit first')],
  [
    '.claude/roles/research.md',
    `${row('dev').replace('stable', 'probationary')}${row('old').replace('stable', 'retired')}`,
  ],
] as const;

verifies('test.bites', 'what is asked of roles and done to them is answered as it was found good', async () => {
  const own = world();
  const roles = new RolesInMemory(TEXTS);
  let [fresh, caller, requests] = [0, { kind: 'person', name: 'ann' } as Context['caller'], 0];
  let files: () => Promise<string> = async () => 'src/a.ts\0lost.md\0';
  const asked: unknown[] = [];
  const output = async (...words: unknown[]) => {
    asked.push(words);
    return await files();
  };
  const context = (): Context => ({
    ...{ ...own.context, caller, request: { requestId: `q-${++requests}` }, freshId: () => `id-${++fresh}` },
    ...{ roleFiles: async () => roles, git: async () => ({ output }) as never },
  });
  roles.follow = (written, now) => followAccepted((who) => ({ ...context(), caller: who }), written, now);
  const calls = new Calls(context);
  const tell = (title: string, value: unknown) => calls.lines.push(`${title} ${JSON.stringify(value, undefined, 1)}`);

  for (const lane of [undefined, 'crew', 'panel', 'research'] as const) await calls.say(list, { lane });
  for (const name of ['skeptic', 'dev', 'skeptik', 'builder', 'Bad Name']) await calls.say(show, { name });
  await calls.say(check, {});
  await calls.say(evolve, {});
  files = () => Promise.reject(new TroupeError('git_failed'));
  await calls.say(evolve, {});
  expect(asked[0]).toEqual([
    ...['/project', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], expect.anything()],
  ]);
  const odd = new Error('odd');
  files = () => Promise.reject(odd);
  await expect(evolve.run(context(), {})).rejects.toBe(odd);

  await calls.say(rolesCandidates, {});
  for (const id of ['c1', 'c2', 'c3', 'c4', 'c9']) await calls.say(rolesCandidates, { id });
  for (const seen of [undefined, 'other']) await calls.say(rolesGraduate, { id: 'c1', seen });
  await calls.say(rolesGraduate, { id: 'c9' });
  await calls.say(rolesGraduate, { id: 'c9', seen: 'x' });
  await calls.say(rolesGraduate, { id: 'c3', seen: 'x' });
  await calls.say(rolesGraduate, { id: 'c3' });
  const { candidates } = await rolesCandidates.run(context(), { id: 'c1' });
  await calls.say(rolesGraduate, { id: 'c1', seen: candidates[0]?.change?.seen });
  await calls.say(sessionStart, {});
  tell('matters', await roleMattersOf(context()));

  const proposal = { role: 'skeptic', section: 'charter' as const, text: 'Refutes all.', why: ' It\u200b is so. ' };
  await calls.say(rolesPropose, proposal);
  await calls.say(rolesPropose, proposal);
  await calls.say(rolesPropose, { role: 'skeptic', section: 'when-to-use', text: '- Never', why: undefined });
  await calls.say(rolesPropose, { role: 'nobody', section: 'charter', text: 'x', why: undefined });
  await calls.say(rolesProposals, {});
  tell('matters', await roleMattersOf(context()));
  const [first = '', second = ''] = (await rolesProposals.run(context(), {})).proposals.map(({ id }) => id);
  await calls.say(rolesAccept, { id: first });
  await calls.say(rolesAccept, { id: '' });
  await calls.say(rolesAccept, { id: 'nothing', yes: true });
  await calls.say(rolesAccept, { id: first.slice(0, -1), yes: true });
  await calls.say(rolesAccept, { id: first, yes: true });
  await calls.say(rolesReject, { id: second });
  await calls.say(rolesProposals, {});
  for (let at = 0; at <= ROLE_PROMPT_LIMITS.openProposals; at++) {
    const more = { role: 'alone', section: 'charter' as const, text: `Is ${at}.`, why: undefined };
    const kept = await rolesPropose.run(context(), more).catch(({ code }: TroupeError) => code);
    expect(kept === 'too_many', `${at}`).toBe(at === ROLE_PROMPT_LIMITS.openProposals);
  }

  await calls.say(learn, { name: 'alone', text: 'Ask for numbers.' });
  await calls.say(learn, { name: 'alone', text: 'Ask for numbers.' });
  await calls.say(retire, { name: 'dev', lane: 'crew' });
  await calls.say(revive, { name: 'dev', lane: 'crew' });
  await calls.say(retire, { name: 'nobody', lane: 'crew' });
  caller = { kind: 'run', name: 'agent-1', taskId: 'a', fence: 1 };
  await calls.say(retire, { name: 'dev', lane: 'crew' });
  await calls.say(rolesReject, { id: second });
  calls.lines.push(...[...roles.texts].flatMap(([file, text]) => [`== ${file}`, text]));
  for await (const { op, actor, detail } of own.store.entries(1)) tell('event', { op, actor, detail });
  const text = calls.text.replaceAll('\u200b', '\\u200b').replaceAll(/\b[0-9a-f]{8}-[0-9a-f-]{27}\b/g, '(change)');
  await expect(text).toMatchFileSnapshot(path.join(import.meta.dirname, 'golden/told.txt'));

  const empty = { ...context(), roleFiles: async () => new RolesInMemory() };
  expect([await sessionStart.run(empty, {}), await roleMattersOf(empty)]).toEqual([{}, []]);
});
