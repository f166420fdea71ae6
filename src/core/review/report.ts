/**
 * The commands of a repository, the severity and ranking of findings, the report as data, Markdown and HTML, the gate.
 * @packageDocumentation
 */

import * as z from 'zod/mini';
import { STATUSES, type Status } from '#core/graph/task.js';
import { uncheckedOf } from '#core/review/command-findings.js';
import {
  compareFindings,
  countBySeverity,
  type Finding,
  finding,
  findingSchema,
  SEVERITIES,
} from '#core/review/finding.js';
import { hotspotShape } from '#core/review/history.js';
import { type PlanStep, type ReviewPlan, RUN_MODES, reviewId, type StepEvidence } from '#core/review/plan.js';
import { EFFORTS, type FindingGroup, firstThings } from '#core/review/ranking.js';

const firstThingSchema = z.strictObject({
  title: z.string(),
  severity: z.enum(SEVERITIES),
  effort: z.enum(EFFORTS),
  /** Number of places. */
  places: z.number(),
  remedy: z.string(),
  /** The first places: `file:line` for files, otherwise the detail. */
  where: z.array(z.string()),
  rule: z.string(),
});
export type FirstThing = z.infer<typeof firstThingSchema>;

const stepFindingSchema = z.extend(findingSchema, {
  /** The step that found it, and the member of that step. */
  node: z.string(),
  member: z.string(),
});
export type StepFinding = z.infer<typeof stepFindingSchema>;

const stepReportSchema = z.strictObject({
  node: z.string(),
  task_id: z.string(),
  title: z.string(),
  member: z.string(),
  role: z.string(),
  type: z.enum(['run', 'fan_in', 'check']),
  status: z.enum(STATUSES),
  started_at: z.nullable(z.string()),
  completed_at: z.nullable(z.string()),
  command: z.string(),
  exit_code: z.nullable(z.number()),
  duration_ms: z.nullable(z.number()),
  output_excerpt: z.string(),
  findings: z.number(),
  has_evidence: z.boolean(),
  /** For a check: whether it finished, or why not. */
  check: z.optional(z.enum(['finished', 'cut-off', 'not-run'])),
});
export type StepReport = z.infer<typeof stepReportSchema>;
const licenceSchema = z.object({ licence: z.string(), count: z.number() });
const ecosystemSchema = z.object({ ecosystem: z.string(), count: z.number() });
const presenceSchema = z.object({ id: z.string(), said: z.string(), file: z.nullable(z.string()) });
const todoSchema = z.object({ total: z.number(), counts: z.record(z.string(), z.number()) });

export const reportSchema = z.strictObject({
  version: z.literal(1),
  review: reviewId,
  name: z.string(),
  repository: z.string(),
  head: z.string(),
  run: z.enum(RUN_MODES),
  leader: z.string(),
  started_at: z.string(),
  finished_at: z.string(),
  counts: z.record(z.enum(SEVERITIES), z.number()),
  first: z.array(firstThingSchema),
  findings: z.array(stepFindingSchema),
  steps: z.array(stepReportSchema),
  hotspots: z.array(hotspotShape),
  licences: z.array(licenceSchema),
  ecosystems: z.array(ecosystemSchema),
  presence: z.array(presenceSchema),
  todos: z.nullable(todoSchema),
});
/** `report.json`: all data of the two pages. */
export type Report = z.infer<typeof reportSchema>;

/** State of a step's task in the graph. */
export interface TaskFacts {
  readonly status: Status;
  readonly member?: string | undefined;
  readonly started_at?: string | undefined;
  readonly completed_at?: string | undefined;
  readonly failure_reason?: string | undefined;
}

export interface ReportInput {
  readonly plan: ReviewPlan;
  readonly evidence: readonly { readonly node: string; readonly evidence?: StepEvidence; readonly problem?: string }[];
  /** Keyed by task id; missing for a removed task. */
  readonly tasks: ReadonlyMap<string, TaskFacts>;
  /** In RFC 3339. */
  readonly now: string;
}

const PLACES_MOST = 4;

/** Combines evidence and the state of the tasks into a report. Pure; a step without a result becomes a finding. */
export function buildReport(input: ReportInput): Report {
  const { plan } = input;
  const evidence = new Map(input.evidence.map((read) => [read.node, read]));
  const findingById = new Map<string, StepFinding>();
  const add = (items: readonly Finding[], step: PlanStep, member: string) => {
    for (const item of items) {
      const { file, line, ...rest } = item;
      const place = { ...(file === undefined ? {} : { file }), ...(line === undefined ? {} : { line }) };
      // Two steps may report the same unreadable file: only the first counts.
      if (!findingById.has(item.id)) findingById.set(item.id, { ...rest, ...place, node: step.node, member });
    }
  };
  const steps = plan.steps.map((step): StepReport => {
    const task = input.tasks.get(step.task_id);
    const read = evidence.get(step.node);
    const record = read?.evidence;
    const member = task?.member ?? step.member;
    const findings = [...(record?.findings ?? []), ...missingResult(step, task, read)];
    add(findings, step, member);
    return {
      node: step.node,
      task_id: step.task_id,
      title: step.title,
      member,
      role: step.role,
      type: step.type,
      status: task?.status ?? 'abandoned',
      started_at: task?.started_at ?? record?.started_at ?? null,
      completed_at: task?.completed_at ?? null,
      command: record?.command ?? '',
      exit_code: record?.exit_code ?? null,
      duration_ms: record?.duration_ms ?? null,
      output_excerpt: record?.output_excerpt ?? '',
      findings: findings.length,
      has_evidence: record !== undefined,
      ...(isCheck(plan, step) ? { check: record === undefined ? 'not-run' : (uncheckedOf(record) ?? 'finished') } : {}),
    };
  });
  const findings = [...findingById.values()].sort(compareFindings);
  const facts = (node: string) => evidence.get(node)?.evidence?.facts ?? {};
  return {
    version: 1,
    review: plan.review,
    name: plan.name,
    repository: plan.repository,
    head: plan.head,
    run: plan.run,
    leader: plan.leader,
    started_at: plan.started_at,
    finished_at: input.now,
    counts: countBySeverity(findings),
    first: firstThings(findings).map(firstThing),
    findings,
    steps,
    hotspots: listOf(hotspotShape, facts('hotspots')['spots']),
    licences: listOf(licenceSchema, facts('inventory')['licences']),
    ecosystems: listOf(ecosystemSchema, facts('inventory')['ecosystems']),
    presence: listOf(presenceSchema, facts('presence')['rows']),
    todos: oneOf(todoSchema, facts('todos')),
  };
}

/** Whether this step is a check of the repository. */
const isCheck = (plan: ReviewPlan, { node }: PlanStep) => plan.commands.some(({ id }) => node === `command-${id}`);

/** Number of checks, in total and finished. */
export function checksOf({ steps }: Report): { total: number; finished: number } {
  const checks = steps.flatMap(({ check }) => check ?? []);
  return { total: checks.length, finished: checks.filter((check) => check === 'finished').length };
}

/** Finding with the reason why a step has no result; empty for a step with evidence and for a future step. */
function missingResult(
  step: PlanStep,
  task: TaskFacts | undefined,
  read: { evidence?: StepEvidence; problem?: string } | undefined,
): Finding[] {
  if (step.type !== 'run' || read?.evidence) return [];
  const why =
    task === undefined
      ? 'its task is no longer in the graph'
      : task.status === 'failed'
        ? `it failed${task.failure_reason === undefined ? '' : `: ${task.failure_reason}`}`
        : task.status === 'done'
          ? (read?.problem ?? 'it left no evidence')
          : `it is ${task.status}`;
  return [
    finding(
      {
        severity: 'medium',
        title: `“${step.title}” has no result`,
        detail: `${step.member} could not finish this step: ${why}.`,
        rule: 'step-without-result',
        remedy: `Read \`troupe show ${step.task_id}\`, then review again.`,
      },
      step.node,
    ),
  ];
}

function firstThing(group: FindingGroup): FirstThing {
  const [first] = group.findings;
  const where = group.findings.map((item) =>
    item.file === undefined ? '' : `${item.file}${item.line === undefined ? '' : `:${item.line}`}`,
  );
  return {
    title: group.title,
    severity: group.severity,
    effort: group.effort,
    places: group.findings.length,
    remedy: first?.remedy ?? '',
    where: [...new Set(where.filter((place) => place !== ''))].slice(0, PLACES_MOST),
    rule: group.rule,
  };
}

function listOf<Item>(
  schema: { safeParse(value: unknown): { success: boolean; data?: Item } },
  value: unknown,
): Item[] {
  if (!Array.isArray(value)) return [];
  return value.flatMap((item) => oneOf(schema, item) ?? []);
}

function oneOf<Item>(
  schema: { safeParse(value: unknown): { success: boolean; data?: Item } },
  value: unknown,
): Item | null {
  return schema.safeParse(value).data ?? null;
}
