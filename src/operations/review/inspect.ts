import * as z from 'zod/mini';
import { countBySeverity, SEVERITIES } from '#core/review/finding.js';
import { INSPECTIONS, reviewId } from '#core/review/plan.js';
import { timestamp } from '#kernel/clock.js';
import { TroupeError } from '#kernel/errors.js';
import type { FilesContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { requestedReview } from './shapes.js';

/**
 * Executes one step of a review and records its findings. Findings never make it fail; an inspection that cannot be
 * performed does.
 */
export const inspect = operation({
  name: 'review.inspect',
  command: 'inspect',
  group: 'Review',
  kind: 'write',
  forRuns: 'any',
  where: 'caller',
  forPrograms: true,
  summary: 'Run one step of a review and record its evidence',
  examples: ['troupe inspect secrets', 'troupe inspect command --command npm-lint --review review'],
  input: z.strictObject({
    name: argument(
      'One of prepare, command, secrets, inventory, links, hotspots, todos, presence, big',
      z.enum(INSPECTIONS),
    ),
    review: option('Which review; default: the latest', z.optional(reviewId), { value: 'ID' }),
    command: option('For command: its name in the plan', z.optional(reviewId), { value: 'ID' }),
  }),
  output: z.strictObject({
    review: z.string(),
    node: z.string(),
    title: z.string(),
    command: z.string(),
    exit_code: z.nullable(z.number()),
    duration_ms: z.number(),
    counts: z.record(z.enum(SEVERITIES), z.number()),
    output_excerpt: z.string(),
    evidence: z.string(),
  }),
  async run(context: FilesContext, { name, review: named, command: commandId }) {
    const inspector = await context.inspector();
    const review = await requestedReview(inspector, named);
    const plan = await inspector.folder.readPlan(review);
    const command = plan.commands.find((item) => item.id === commandId);
    if (name === 'command' && !command) {
      const ids = plan.commands.map((item) => item.id).join(', ');
      throw new TroupeError('unknown_command', ids === '' ? {} : { hint: `Name one of: ${ids}.` });
    }
    const node = name === 'command' ? `command-${commandId}` : name;
    const step = plan.steps.find((item) => item.node === node);
    const startedAt = context.clock.now();
    const result = await inspector.inspect({ name, plan, ...(command ? { command } : {}) });
    const evidence = {
      node,
      title: step?.title ?? node,
      member: step?.member ?? context.caller.name,
      command: result.command,
      exit_code: result.exit_code,
      duration_ms: Math.max(0, context.clock.now() - startedAt),
      started_at: timestamp(startedAt),
      output_excerpt: result.output,
      findings: [...result.findings],
      facts: { ...result.facts },
    };
    await inspector.folder.writeEvidence(review, evidence);
    return {
      review,
      node,
      title: evidence.title,
      command: evidence.command,
      exit_code: evidence.exit_code,
      duration_ms: evidence.duration_ms,
      counts: countBySeverity(evidence.findings),
      output_excerpt: evidence.output_excerpt,
      evidence: inspector.folder.path(review, `evidence/${node}.json`),
    };
  },
});
