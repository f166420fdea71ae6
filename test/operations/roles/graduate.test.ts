import { expect } from 'vitest';
import { CREW_WRITER, GRADUATION_WRITER, IDENTITY_WRITER, type RoleWriter, SOLO_WRITER } from '#core/roles/writers.js';
import { TroupeError } from '#kernel/errors.js';
import { rolesCandidates, rolesGraduate } from '#operations/roles/graduate.js';
import { written } from '../../contract/role-files.js';
import { verifies } from '../../verifies.js';
import { type RoleStage, RUN, roleStage } from './place.js';

const CORE = '.claude/roles/skeptic.md';
const lane = (lesson: string) =>
  `### skeptic\n- role: skeptic\n- status: stable\n- learnings:\n  - 2026-02-02 — ${lesson}\n`;
const TEXTS = [
  [CORE, '# skeptic\n\n## Charter\n\nRefutes.\n\n## Learnings (core)\n'],
  ['.claude/roles/panel.md', lane('Check the unit first')],
  ['.claude/roles/research.md', lane('check the unit first')],
] as const;
const coded = (code: string) => expect.objectContaining({ code });

/** What a person is shown, and the hash under which they agree to it. */
async function shownTo({ call }: RoleStage, id = 'c1') {
  const refusal = await call(rolesGraduate, { id }).catch((error: unknown) => error);
  if (!(refusal instanceof TroupeError) || refusal.code !== 'confirmation_needed') throw refusal;
  return refusal.details as { shown: string; agree: { seen: string } };
}

const graduations = async ({ events }: RoleStage) => (await events()).filter(({ op }) => op === 'role_graduate');

verifies(
  'roles.grad.user-gate',
  'a run graduates nothing; a person is shown the difference, and agrees to that',
  async () => {
    const own = await roleStage(TEXTS);
    expect((await own.call(rolesCandidates)).candidates[0]).toMatchObject({
      id: 'c1',
      why: 'shared-lesson',
      role: 'skeptic',
      sources: [{ overlap: 1 }, { overlap: 1, date: '2026-02-02' }],
    });
    await expect(own.as(RUN, rolesGraduate, { id: 'c1' })).rejects.toEqual(coded('user_only'));
    const { shown, agree } = await shownTo(own);
    await expect(own.as(RUN, rolesGraduate, { id: 'c1', ...agree })).rejects.toEqual(coded('user_only'));
    expect(shown).toContain('+ - ');
    // Who only reads is shown the same, and the hash that agrees to it.
    const [one, ...others] = (await own.as(RUN, rolesCandidates, { id: 'c1' })).candidates;
    expect(others).toEqual([]);
    expect(one?.change).toEqual({ difference: shown, seen: agree.seen });
    await expect(own.call(rolesCandidates, { id: 'c9' })).rejects.toEqual(coded('not_found'));
    expect(shown).toContain('-   - 2026-02-02 — check the unit first');
    expect(new Map(own.files.texts)).toEqual(new Map(TEXTS)); // nothing was written yet
    expect(await graduations(own)).toEqual([]);
    const done = await own.call(rolesGraduate, { id: 'c1', ...agree });
    expect(done).toMatchObject({ role: 'skeptic', lesson: 'Check the unit first' });
    expect(own.files.texts.get(CORE)).toMatch(/## Learnings \(core\)\n\n?- \d{4}-\d\d-\d\d — Check the unit first\n$/);
    expect(own.files.texts.get('.claude/roles/panel.md')).not.toContain('unit');
    expect(own.files.texts.get('.claude/roles/research.md')).not.toContain('unit');
    expect((await own.call(rolesCandidates)).candidates.filter(({ why }) => why === 'shared-lesson')).toEqual([]);
  },
);

verifies(
  'roles.grad.atomic',
  'one event holds every file before and after; what changed since is refused, and nothing written',
  async () => {
    const own = await roleStage(TEXTS);
    const { agree } = await shownTo(own);
    const changed = lane('check the unit, twice');
    own.files.texts.set('.claude/roles/panel.md', changed);
    await expect(own.call(rolesGraduate, { id: 'c1', ...agree })).rejects.toEqual(coded('candidate_stale'));
    await expect(own.call(rolesGraduate, { id: 'c9', ...agree })).rejects.toEqual(coded('candidate_stale'));
    expect(own.files.texts.get('.claude/roles/panel.md')).toBe(changed);
    expect(await graduations(own)).toEqual([]);
    own.files.texts.set('.claude/roles/panel.md', TEXTS[1][1]);
    await own.call(rolesGraduate, { id: 'c1', ...agree });
    const [event, ...more] = await graduations(own);
    expect(more).toEqual([]);
    const files = TEXTS.map(([file, before]) => ({ file, before, after: own.files.texts.get(file) }));
    expect(event?.detail['files']).toHaveLength(files.length);
    expect(event?.detail['files']).toEqual(expect.arrayContaining(files));
  },
);

verifies('roles.rule.core-by-graduation', 'no writer but that of graduations adds a core lesson', async () => {
  const own = await roleStage(TEXTS);
  const more = `${own.files.texts.get(CORE) ?? ''}\n- 2026-03-01 — trust everybody\n`;
  const write = (writer: RoleWriter) => written(own.files, writer, () => new Map([[CORE, more]]));
  for (const writer of [SOLO_WRITER, IDENTITY_WRITER, CREW_WRITER])
    await expect(write(writer)).rejects.toEqual(coded('not_lane_writer'));
  await write(GRADUATION_WRITER);
  expect(own.files.texts.get(CORE)).toBe(more);
});
