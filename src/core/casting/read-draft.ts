import { parseDraft } from '#core/catalog/blueprint-check.js';
import type { Blueprint } from '#core/catalog/policies.js';
import type { Workflow, WorkflowFile } from '#core/catalog/workflow.js';
import type { PolicyStep } from '#core/playbooks/compiled.js';
import { checkCompiles } from '#core/playbooks/workflow.js';
import { TroupeError } from '#kernel/errors.js';
import type { JsonObject } from '#kernel/json.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import { objectIn } from '#kernel/question.js';
import { cut, inert } from '#kernel/text.js';
import { forbiddenField, freeAnswerId, hasHiddenText } from './answer-text.js';

export interface DraftFacts {
  /** Blueprint that the draft belongs to. */
  readonly blueprint: Pick<Blueprint, 'id' | 'roster'>;
  /** Ids of existing workflows. */
  readonly existing: ReadonlySet<string>;
  readonly trigger: WorkflowFile['trigger'];
  readonly policy: readonly PolicyStep[];
}

/** Fields taken from an answer; trigger and id are set by the caller instead. */
const FIELDS = ['name', 'description', 'process', 'inputs', 'stages', 'start', 'nodes', 'edges', 'loops'] as const;
const TYPES = new Set<unknown>([
  ...['prompt', 'peer_review', 'check', 'fan_out', 'fan_in', 'serial', 'scribe', 'merge', 'terminal'],
]);

/**
 * Parses the workflow in a model's answer and compiles it for its team as a check. Errors, which may be shown to the
 * model: `workflow_invalid`, `workflow_unsupported`.
 */
export function readDraft(text: string, facts: DraftFacts): NonNullable<Blueprint['draft']> {
  if (Buffer.byteLength(text) > TEAM_LIMITS.modelAnswerBytes) refuse('the answer is too long');
  const answer = objectIn(text, (value) =>
    Array.isArray(value['nodes']) && value['nodes'].length > 0 ? value : undefined,
  );
  if (answer === undefined) return refuse('the answer contains no workflow');
  const field = forbiddenField(answer);
  if (field !== undefined) refuse(`it sets “${field}”: a model sets no command, permission or budget`);
  const fields = Object.fromEntries(FIELDS.flatMap((name) => (name in answer ? [[name, answer[name]]] : [])));
  if (hasHiddenText(fields)) refuse('it contains invisible characters');
  const draft = {
    id: idOf(answer, facts),
    ...fields,
    ...(facts.trigger === undefined ? {} : { trigger: facts.trigger }),
    edges: Array.isArray(answer['edges']) ? answer['edges'] : [],
  };
  const workflow = parseDraft(draft);
  checkSeats(workflow, facts.blueprint.roster);
  checkCompiles(workflow, facts.blueprint.roster, facts.policy);
  return draft;
}

function idOf(answer: JsonObject, { blueprint, existing }: DraftFacts): string {
  return freeAnswerId([answer['id'], answer['name'], blueprint.id], 'workflow', existing);
}

/** Rejects steps owned by archetypes outside the roster. A model assigns no step to a built-in member. */
function checkSeats(workflow: Workflow, roster: readonly string[]): void {
  for (const node of workflow.nodes) {
    if (!TYPES.has(node.type)) refuse(`“${node.id}” is a ${node.type}, which a draft does not have`);
    for (const step of [node, ...(node.steps ?? [])]) {
      const stranger = [step.archetype ?? []].flat().find((archetype) => !roster.includes(archetype));
      if (stranger !== undefined) refuse(`“${step.id}” belongs to ${stranger}, who is not on the roster`);
    }
  }
}

function refuse(why: string): never {
  throw new TroupeError('workflow_invalid', { what: `the draft: ${cut(inert(why), 300)}.` });
}

type Trigger = NonNullable<WorkflowFile['trigger']>;
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const;
const DAY =
  /\b(?:every|each|on|weekly on)\s+(mon|tues|wednes|thurs|fri|satur|sun)days?\b|\b(mon|tues|wednes|thurs|fri|satur|sun)days\b/;
const WEEKLY = /\bweekly\b|\b(?:every|each|once a|once per|per) week\b/;
const DAILY =
  /\b(?:daily|nightly)\b|\b(?:every|each) (?:day|morning|evening|night|noon)\b|\bonce (?:a|per) day\b|\bper day\b/;
const ARRIVAL =
  /\b(?:for|on) (?:every|each) new (?:task|ticket|issue|request)\b|\bwhen(?:ever)? (?:a|an|any|some) (?:new )?(?:task|ticket|issue|request) (?:is (?:added|opened|filed|ready)|arrives|comes in|appears)\b/;
const ALWAYS = /\b(?:heartbeat|continuously|constantly|around the clock|all the time)\b/;

/** Derives a trigger from the words of a description; undefined if a person starts the process. */
export function triggerFromWords(text: string): Trigger | undefined {
  const words = text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ');
  const [, every = '', plain = ''] = DAY.exec(words) ?? [];
  const day = DAYS.find((short) => `${every}${plain}`.startsWith(short));
  if (day !== undefined) return { type: 'schedule', every: `weekly:${day}` };
  if (WEEKLY.test(words)) return { type: 'schedule', every: 'weekly:mon' };
  if (DAILY.test(words)) return { type: 'schedule', every: 'daily' };
  if (ARRIVAL.test(words)) return { type: 'event', event: 'task-added-to-ready' };
  return ALWAYS.test(words) ? { type: 'heartbeat' } : undefined;
}
