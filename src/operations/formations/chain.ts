import * as z from 'zod/mini';
import { type ChainStageName, checkedStages, inputText, type StageInput } from '#core/playbooks/chain.js';
import { runFolder } from '#core/playbooks/formation.js';
import { formationRecords } from '#core/playbooks/record.js';
import { TroupeError } from '#kernel/errors.js';
import { SWEEP_LIMITS } from '#kernel/limits/sweep.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { ProjectContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { type Context, operation } from '#operations/operation.js';
import { ACCEPT_LINE_UP } from '#operations/options.js';
import { proposeCrew } from './crew.js';
import { proposePanel } from './panel.js';
import { keptFindings } from './run-files.js';
import { standingShape } from './standing.js';
import type { Step } from './step-call.js';
import { proposeSweep } from './sweep.js';

/** File that each stage passes to the next, within its folder. */
const HANDED_ON = { sweep: 'findings.yaml', panel: 'decision.md' } as const;

/**
 * Runs several formations in sequence: the first is proposed now, each other one when its predecessor has succeeded.
 * Each waits for a person to accept its line-up.
 */
export const chain = operation({
  name: 'formation.chain',
  command: 'chain',
  group: 'Plans',
  kind: 'write',
  summary: 'Research, decide, deliver: in stages, each waiting for you to accept its line-up',
  examples: [
    'troupe chain "a cache for builds" --stages research,panel,crew',
    'troupe chain "drop the queue" --stages panel,crew --json',
  ],
  input: z.strictObject({
    goal: argument('The goal', z.string().check(z.minLength(1), z.maxLength(TEAM_LIMITS.goalCharacters))),
    stages: option('A subset of research, panel, crew, in this order', z.array(z.string()), { value: 'STAGES' }),
    yes: ACCEPT_LINE_UP,
  }),
  output: standingShape,
  async run(context: ProjectContext, { goal, stages, yes }) {
    const [first, ...rest] = checkedStages(stages);
    return await proposeStage(context, { stage: first, goal, rest, input: undefined }, yes === true);
  },
});

interface NextStage {
  readonly stage: ChainStageName;
  readonly goal: string;
  readonly rest: readonly ChainStageName[];
  /** Output of the previous stage. */
  readonly input: StageInput | undefined;
}

async function proposeStage(context: ProjectContext, { stage, goal, rest, input }: NextStage, accepted: boolean) {
  if (stage === 'research') return await proposeSweep(context, { goal, stages: rest }, accepted);
  if (stage === 'panel') return await proposePanel(context, { goal, stages: rest, input }, accepted);
  const brief = input === undefined ? goal : `${goal} — as decided in ${inputText(input)}`;
  return await proposeCrew(context, { goal: brief, input }, accepted);
}

/** Ends a stage: passes its output on by path and hash, and proposes the next stage. Idempotent. */
export const nextStage: Step = async (context, record) => {
  const [stage, ...rest] = checkedStages((record.options['stages'] ?? '').split(','));
  if (record.formation === 'crew') throw new TroupeError('bad_input', { what: 'A crew is the last stage.' });
  const folder = runFolder(record.formation, record.run);
  const name = HANDED_ON[record.formation];
  const file = await (await context.formationFiles()).read(folder, name, SWEEP_LIMITS.handedOnBytes);
  if (file.text === undefined)
    throw new TroupeError('not_found', { what: `${name} of ${record.run}: ${file.problem}.` });
  if (record.formation === 'sweep') await keptFindings(context, record); // the findings must be unchanged
  const input = { file: `${folder}/${name}`, sha256: file.sha256 };
  const goal = record.kept['subject'] ?? record.goal;
  const before = await proposedFrom(context, inputText(input));
  const run = before ?? (await proposeStage(context, { stage, goal, rest, input }, false)).run;
  return { added: [], said: [`${run} is proposed: start it with \`troupe playbook accept ${run}\`.`] };
};

/** Run that an earlier attempt proposed from the same input. */
async function proposedFrom(context: Pick<Context, 'graph'>, input: string): Promise<string | undefined> {
  const view = await (await context.graph()).view();
  return formationRecords(view).find(({ goal }) => goal.includes(input))?.run;
}
