import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, onTestFinished } from 'vitest';
import { mass } from '../mass.js';
import { asked, endEverything, project, start } from '../scenarios/program.js';
import { logOf } from '../scenarios/repository-world.js';
import { verifies } from '../verifies.js';
import { killAfter, randomFrom, seed } from './killing.js';

const KILLS = mass(4, 500);
const LIVES_MS = 800;
const FILE = '.claude/roles/qa.md';
const TEXT =
  '# qa\n\n## Charter\n\nChecks.\n\n## When to use\n\n- x\n\n## Body\n\nLook.\n\n## Learnings (core)\n\n## Learnings (solo)\n';

interface Proposals {
  readonly proposals: readonly { readonly id: string; readonly text: string }[];
}
interface Roles {
  readonly entities: readonly { readonly name: string; readonly description: string }[];
}

verifies(
  ['one.commit', 'roles.learn.append', 'roles.rule.identity', 'roles.agency.link'],
  `${KILLS} kills of processes that change a role: file, proposals, log and agency agree, and what was said to be done is there once`,
  async () => {
    const cwd = await project();
    onTestFinished(() => endEverything(cwd));
    mkdirSync(path.join(cwd, path.dirname(FILE)), { recursive: true });
    writeFileSync(path.join(cwd, FILE), TEXT);
    const random = randomFrom(seed);
    const done = { lessons: [] as string[], charters: [] as string[] };
    let [kills, number] = [0, 0];
    /** Whether the command ended by itself, and well. */
    const runs = async (args: readonly string[]) => {
      const running = start([...args, '--json'], { cwd });
      if (await killAfter(running.child, random() * LIVES_MS)) kills++;
      return (await running.finished).code === 0;
    };
    const learn = async () => {
      while (kills < KILLS) {
        const lesson = `Lesson ${++number} of all.`;
        if (await runs(['roles', 'learn', 'qa', lesson])) done.lessons.push(lesson);
      }
    };
    const accept = async () => {
      while (kills < KILLS) {
        const charter = `Checks for the time ${++number}.`;
        const { id } = await asked<{ id: string }>(
          ['roles', 'propose', 'qa', charter, '--section', 'charter', '--why', 'w'],
          { cwd },
        );
        if (await runs(['roles', 'accept', id, '-y'])) done.charters.push(charter);
        // Open still: nothing of it was done, and the next charter would find it in its way.
        const { proposals } = await asked<Proposals>(['roles', 'proposals'], { cwd });
        for (const one of proposals) await asked(['roles', 'reject', one.id], { cwd });
      }
    };
    await Promise.all([learn(), accept()]);
    await asked(['roles', 'list'], { cwd }); // settles what the last kill left
    const text = readFileSync(path.join(cwd, FILE), 'utf8');
    const log = logOf(cwd);
    const told = (op: string, field: string) =>
      log.flatMap((entry) => (entry.op === op ? [String(entry.detail?.[field])] : []));
    const lessons = [...text.matchAll(/— (Lesson \d+ of all\.)/g)].map(([, lesson]) => lesson);
    expect(lessons, `seed ${seed}`).toEqual(told('roles_learn', 'lesson'));
    expect(new Set(lessons).size).toBe(lessons.length);
    expect(lessons, `seed ${seed}`).toEqual(expect.arrayContaining(done.lessons));
    const accepted = told('role_accept', 'text');
    expect(accepted, `seed ${seed}`).toEqual(expect.arrayContaining(done.charters));
    expect(text, `seed ${seed}`).toContain(`## Charter\n\n${accepted.at(-1) ?? 'Checks.'}\n`);
    const { entities } = await asked<Roles>(['role', 'list'], { cwd });
    const own = entities.filter(({ name }) => name === 'qa').map(({ description }) => description);
    expect(own.sort(), `seed ${seed}`).toEqual(accepted.length === 0 ? [] : ['Checks.', ...accepted].sort());
    expect(existsSync(path.join(cwd, '.workgraph/service/changes'))).toBe(false);
    process.stdout.write(
      `roles, seed ${seed}: ${kills} kills, ${lessons.length} lessons, ${accepted.length} proposals accepted\n`,
    );
  },
);
