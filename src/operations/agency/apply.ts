import * as z from 'zod/mini';
import { evolutionProposalOf } from '#core/agency/proposal.js';
import { TroupeError } from '#kernel/errors.js';
import { isJsonObject } from '#kernel/json.js';
import { AGENCY_LIMITS } from '#kernel/limits/agency.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { ProjectContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { evolutionRunShape, keepRun } from './keep.js';
import { personsEvolution } from './own.js';

/** Applies operations from a file written by a person, in the format of a model's answer, without a model. */
export const evolveApply = operation({
  name: 'evolve.apply',
  command: 'evolve apply',
  group: 'Evolution',
  kind: 'write',
  graphless: true,
  instead: 'evolve run --apply',
  summary: 'Apply role and trade-off changes from a file, without a model',
  examples: [
    'troupe evolve run --apply operations.json',
    'troupe evolve run --apply operations.json --budget 2 --json',
  ],
  input: z.strictObject({
    file: argument('A JSON or YAML file with a list of operations', z.string(), { path: 'always' }),
    budget: option(
      'Apply at most N (default: all valid ones)',
      z.optional(z.int().check(z.minimum(0), z.maximum(AGENCY_LIMITS.evolutionOperations))),
      { value: 'N' },
    ),
  }),
  output: evolutionRunShape,
  async run(context: ProjectContext, { file, budget }) {
    personsEvolution(context);
    const started = context.clock.now();
    const value = await (await context.files()).data(file, TEAM_LIMITS.modelAnswerBytes);
    const proposal = evolutionProposalOf(
      Array.isArray(value) ? { operations: value } : isJsonObject(value) ? value : {},
    );
    if (!proposal) {
      throw new TroupeError('bad_input', {
        what: 'The file has no list of operations.',
        hint: `Write {"operations": […]}, at most ${AGENCY_LIMITS.evolutionOperations}.`,
      });
    }
    const kept = await keepRun(context, {
      strategy: 'all',
      budget: budget ?? null,
      model: null,
      prompt_sha256: null,
      answer: '',
      started,
      failure: null,
      cost_usd: null,
      replays: [],
      works: [],
      replaying: false,
      ...proposal,
    });
    return { ...kept, warnings: [] };
  },
});
