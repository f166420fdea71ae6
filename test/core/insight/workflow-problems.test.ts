import { expect } from 'vitest';
import { workflowProblems } from '#core/insight/problems.js';
import { verifies } from '../../verifies.js';

verifies('workflow.trigger', 'what keeps a workflow from beginning is a problem with the command that helps', () => {
  const fact = (id: string, fields: object) => ({ id, due: true, held: null, last_run: null, ...fields });
  const shown = (running: boolean, ...facts: ReturnType<typeof fact>[]) =>
    workflowProblems(facts, running).map(({ text, command }) => [text, command]);
  expect(
    shown(
      true,
      fact('nightly', { held: 'Its commands are not trusted here.' }),
      fact('weekly', { held: 'Its run weekly-1 is not over.', last_run: 'weekly-1' }),
      fact('asks', { held: 'It needs a value for where.' }),
      fact('well', {}),
    ),
  ).toEqual([
    ['nightly cannot start automatically: Its commands are not trusted here.', 'troupe workflow trust nightly'],
    ['weekly cannot start automatically: Its run weekly-1 is not over.', 'troupe workflow status weekly-1'],
    ['asks cannot start automatically: It needs a value for where.', 'troupe workflow show asks'],
  ]);
  expect(shown(false, fact('nightly', {}), fact('later', { due: false }))).toEqual([
    ['nightly is due, and no service is running', 'troupe service start'],
  ]);
});
