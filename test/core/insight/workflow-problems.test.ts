import { expect } from 'vitest';
import { type TriggerFact, workflowProblems } from '#core/insight/workflow-problems.js';
import { verifies } from '../../verifies.js';

verifies('workflow.trigger', 'what keeps a workflow from beginning is a problem with the command that helps', () => {
  const fact = (id: string, fields: Partial<TriggerFact>): TriggerFact => ({
    id,
    due: true,
    held: null,
    held_by: null,
    last_run: null,
    ...fields,
  });
  const shown = (running: boolean, ...facts: TriggerFact[]) =>
    workflowProblems(facts, running).map(({ text, command }) => [text, command]);
  expect(
    shown(
      true,
      fact('nightly', { held: 'Nobody agreed to its commands.', held_by: 'trust' as const }),
      fact('weekly', { held: 'Its run goes on.', held_by: 'run' as const, last_run: 'weekly-1' }),
      fact('asks', { held: 'It needs a value for where.', held_by: 'other' as const, last_run: 'asks-1' }),
      fact('well', {}),
    ),
  ).toEqual([
    ['nightly cannot start automatically: Nobody agreed to its commands.', 'troupe trust workflow nightly'],
    ['weekly cannot start automatically: Its run goes on.', 'troupe playbook status weekly-1'],
    ['asks cannot start automatically: It needs a value for where.', 'troupe playbooks asks'],
  ]);
  expect(shown(false, fact('nightly', {}), fact('later', { due: false }))).toEqual([
    ['nightly is due, and no service is running', 'troupe service start'],
  ]);
});
