import { expect, test } from 'vitest';
import { candidatesIn } from '#core/roles/candidates.js';
import { sessionContext } from '#core/roles/session-context.js';
import { processorMs } from '../../processor-time.js';
import { verifies } from '../../verifies.js';
import { core, registryOf, row } from './some-roles.js';

verifies('audit.context', 'what a session is told names candidates, hides nothing, and has a bound', () => {
  expect(sessionContext([])).toBeUndefined();
  const roles = Array.from({ length: 80 }, (_, at) => `role-${at}`);
  const lesson = (at: number) => `\u200bnever ${at} "as one word ${at}" ghp_${'a'.repeat(24)} ${'x'.repeat(200)}`;
  const registry = registryOf(
    roles.map((name) => core(name)),
    (['crew', 'panel'] as const).flatMap((lane) =>
      roles.map((name, at) => row(lane, name, { role: name, lessonTexts: [lesson(at)] })),
    ),
  );
  const text = sessionContext(candidatesIn(registry)) ?? '';
  expect(text.length).toBeLessThanOrEqual(2_000);
  expect(text).toContain("\\u{200b}never 0 'as one word 0' ********");
  expect(text).toMatch(/and \d+ more: `troupe roles graduate --candidates`$/);
});

test('ten thousand lessons of five hundred roles are looked through in a fraction of a second', () => {
  const words = (seed: number) =>
    Array.from({ length: 9 }, (_, at) => `w${(seed * 7 + at * at * 13) % 4_001}`).join(' ');
  const roles = Array.from({ length: 500 }, (_, at) => `role-${at}`);
  const registry = registryOf(
    roles.map((name) => core(name)),
    roles.map((name, at) =>
      row(at % 2 === 0 ? 'crew' : 'panel', name, {
        role: 'role-1', // all of one core: the dearest there is
        lessonTexts: Array.from({ length: 20 }, (_, one) => words(at * 20 + one)),
      }),
    ),
  );
  expect(processorMs(() => candidatesIn(registry))).toBeLessThan(5_000); // the whole test takes 0.3 s; without an index minutes
});
