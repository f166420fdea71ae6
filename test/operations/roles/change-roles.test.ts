import { expect } from 'vitest';
import { CREW_WRITER } from '#core/roles/writers.js';
import { TroupeError } from '#kernel/errors.js';
import { changeRoles } from '#operations/roles/change-roles.js';
import { rolesGraduate } from '#operations/roles/graduate.js';
import { learn } from '#operations/roles/learn.js';
import { rolesAccept, rolesPropose } from '#operations/roles/proposals.js';
import { retire } from '#operations/roles/row-moves.js';
import { verifies } from '../../verifies.js';
import { roleStage } from './place.js';

const row = (lesson: string) => `### qa\n- role: qa\n- status: stable\n- learnings:\n  - 2026-02-02 — ${lesson}\n`;
const TEXTS = [
  ['.claude/roles/qa.md', '# qa\n\n## Charter\n\nChecks.\n\n## Learnings (core)\n\n## Learnings (solo)\n'],
  ['.claude/roles/crew.md', row('Check the unit first')],
  ['.claude/roles/panel.md', row('check the unit first')],
] as const;
const WISH = { role: 'qa', section: 'charter', text: 'Checks with evidence.', why: 'came back twice' } as const;

verifies('one.commit', 'a request that comes again gets its first answer, also where it is done already', async () => {
  const own = await roleStage(TEXTS);
  const refusal = (await own.call(rolesGraduate, { id: 'c1' }).catch((error: unknown) => error)) as TroupeError;
  const { agree } = refusal.details as { agree: { seen: string } };
  const { id } = await own.call(rolesPropose, WISH);
  const asked = [
    () => own.call(rolesGraduate, { id: 'c1', ...agree }, 'graduate'),
    () => own.call(rolesAccept, { id, yes: true }, 'accept'),
    () => own.call(learn, { name: 'qa', text: 'Ask for numbers.' }, 'learn'),
    () => own.call(retire, { name: 'qa', lane: 'crew' }, 'retire'),
  ];
  const first = [];
  for (const ask of asked) first.push(await ask());
  const [texts, events] = [new Map(own.files.texts), await own.events()];
  for (const [index, ask] of asked.entries()) expect(await ask()).toEqual(first[index]);
  expect([own.files.texts, await own.events()]).toEqual([texts, events]);
  await expect(own.call(rolesGraduate, { id: 'c1', ...agree }), 'another request').rejects.toMatchObject({
    code: 'candidate_stale',
  });
});

verifies('one.commit', 'without a graph the files are all there is; a refusal is thrown on', async () => {
  const own = await roleStage(TEXTS);
  const bare = { ...own.context(), graph: () => Promise.reject(new TroupeError('not_initialized')) };
  const event = { op: 'roles_retire', actor: 'ann', detail: {}, patch: [] };
  const texts = new Map([['.claude/roles/crew.md', row('other')]]);
  const written = changeRoles(bare, CREW_WRITER, {}, () => ({ texts, events: [event], result: 'written' }));
  expect(await written).toEqual({ result: 'written', seq: 0 });
  expect(own.files.texts.get('.claude/roles/crew.md')).toBe(row('other'));
  const refused = changeRoles(bare, CREW_WRITER, {}, () => Promise.reject(new TroupeError('bad_input')));
  await expect(refused).rejects.toMatchObject({ code: 'bad_input' });
  expect(await own.events()).toEqual([]);
});

verifies('one.commit', 'a change that no event tells of is not entered in the log', async () => {
  const own = await roleStage(TEXTS);
  const before = (await own.store.view()).seq;
  const texts = new Map([['.claude/roles/crew.md', row('other')]]);
  const plan = () => ({ texts, events: [], result: 'written' });
  expect(await changeRoles(own.context(), CREW_WRITER, {}, plan)).toEqual({ result: 'written', seq: before });
  expect([(await own.store.view()).seq, own.files.texts.get('.claude/roles/crew.md')]).toEqual([before, row('other')]);
});
