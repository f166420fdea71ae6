import * as z from 'zod/mini';
import { recordNamed } from '#core/casting/member-change.js';
import { checkedLine, checkedText, DECISION_STATUSES, DECISION_TYPES } from '#core/squad/memory.js';
import { archiveDecision, keepDecision } from '#core/squad/memory-changes.js';
import { rowAt } from '#core/squad/memory-state.js';
import { TEAM_LIMITS } from '#kernel/limits/team.js';
import type { TeamContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { REASON } from '#operations/options.js';
import { DECISIONS_PATH } from '#operations/resource-paths.js';
import { text } from '#operations/shapes.js';
import { provenance, storedText } from './memories.js';
import { decisionRow, decisionShape, fitting, limit, rowNumber } from './memory-shapes.js';
import { changeMemory, memoryNow } from './shared-memory.js';

/** Records a decision directly, without the inbox. */
export const decisionAdd = operation({
  name: 'decision.add',
  command: 'decision add',
  group: 'Memory',
  kind: 'write',
  graphless: true,
  summary: 'Record a decision',
  examples: [
    'troupe decision add "Messages are kept in SQLite" --type architectural --rationale "One file, no server."',
    'troupe decision add "Reviews take one day at most" --supersedes 3',
  ],
  resource: [
    {
      method: 'POST',
      path: DECISIONS_PATH,
      summary: 'Records a decision.',
      status: 201,
      fields: ['title', 'type', 'content', 'rationale', 'agent', 'supersedes'],
    },
  ],
  input: z.strictObject({
    title: argument('The decision in one line', z.string()),
    type: option(
      'What it is about (default: process): architectural, scope, process',
      z.optional(z.enum(DECISION_TYPES)),
      { value: 'WORD' },
    ),
    content: option('The text, as Markdown', text, { flag: 'text', value: 'TEXT' }),
    rationale: REASON,
    agent: option('The member who proposed it', text, { value: 'NAME', names: 'member' }),
    supersedes: option('The decision that it replaces', z.optional(rowNumber), { value: 'N' }),
  }),
  output: decisionShape,
  async run(context: TeamContext, { title, type, content = '', rationale = '', agent, supersedes }) {
    const decided = {
      type: type ?? ('process' as const),
      title: storedText('title', checkedLine('title', title)),
      content: storedText('content', checkedText('the text', content)),
      rationale: storedText('rationale', checkedText('the rationale', rationale)),
      ...(agent === undefined ? {} : { agent: recordNamed(await (await context.squad()).read(), agent).slug }),
      ...(supersedes === undefined ? {} : { supersedes }),
      ...provenance(context),
    };
    const { after, id } = await changeMemory(context, (state) => keepDecision(state, decided));
    return decisionRow(rowAt(after.decisions, id));
  },
});

/** Archives a decision that no longer applies and has no successor. */
export const decisionArchive = operation({
  name: 'decision.archive',
  command: 'decision archive',
  group: 'Memory',
  kind: 'write',
  graphless: true,
  summary: 'Archive a decision that no longer applies',
  examples: ['troupe decision archive 3', 'troupe decision archive 12 --json'],
  // A decision can otherwise end only by another decision that supersedes it.
  resource: [
    {
      method: 'PUT',
      path: `${DECISIONS_PATH}/:number`,
      summary: 'Archives a decision.',
      params: ['number'],
      numbers: ['number'],
      only: {
        field: 'status',
        value: 'archived',
        what: 'Of a decision only the status can be set, to archived.',
        hint: 'POST one with supersedes to replace it.',
      },
    },
  ],
  input: z.strictObject({ number: argument('Its number', rowNumber) }),
  output: decisionShape,
  async run(context: TeamContext, { number }) {
    const { after, id } = await changeMemory(context, (state) => archiveDecision(state, number));
    return decisionRow(rowAt(after.decisions, id));
  },
});

/** Lists the decisions of the team, latest last. */
export const decisionList = operation({
  name: 'decision.list',
  command: 'decision list',
  group: 'Memory',
  kind: 'read',
  graphless: true,
  summary: 'List the decisions of the team',
  examples: ['troupe decision list', 'troupe decision list --status active --json'],
  resource: [
    { method: 'GET', path: DECISIONS_PATH, summary: 'The decisions of the team.', fields: ['limit', 'status'] },
  ],
  input: z.strictObject({
    status: option('Only of this status: active, superseded, archived', z.optional(z.enum(DECISION_STATUSES)), {
      value: 'WORD',
    }),
    limit: option('Only the latest N', limit, { value: 'N' }),
  }),
  output: z.object({ decisions: z.array(decisionShape) }),
  async run(context: TeamContext, { status, limit: most }) {
    const { decisions } = await memoryNow(context);
    const rows = decisions.map(({ row }) => row).filter((row) => status === undefined || row.status === status);
    return { decisions: fitting(rows.slice(-(most ?? TEAM_LIMITS.memoryRowsListed)).map(decisionRow)) };
  },
});
