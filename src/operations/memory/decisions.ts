import * as z from 'zod/mini';
import { recordNamed } from '#core/casting/member-change.js';
import { checkedLine, checkedText, DECISION_STATUSES, DECISION_TYPES } from '#core/memory/memory.js';
import { archiveDecision, keepDecision } from '#core/memory/memory-changes.js';
import { rowAt } from '#core/memory/memory-state.js';
import { LIMITS } from '#kernel/limits.js';
import { operation } from '#operations/operation.js';
import { text } from '#operations/shapes.js';
import { provenance, storedText } from './memories.js';
import { decisionRow, decisionShape, fitting, limit, rowNumber } from './memory-shapes.js';

import { changeMemory, memoryNow } from './shared-memory.js';

/** Records a decision directly, without the inbox. */
export const decisionAdd = operation({
  name: 'decision.add',
  input: z.strictObject({
    title: z.string(),
    type: z.optional(z.enum(DECISION_TYPES)),
    content: text,
    rationale: text,
    agent: text,
    supersedes: z.optional(rowNumber),
  }),
  output: decisionShape,
  async run(context, { title, type, content = '', rationale = '', agent, supersedes }) {
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
  input: z.strictObject({ number: rowNumber }),
  output: decisionShape,
  async run(context, { number }) {
    const { after, id } = await changeMemory(context, (state) => archiveDecision(state, number));
    return decisionRow(rowAt(after.decisions, id));
  },
});

/** Lists the decisions of the team, latest last. */
export const decisionList = operation({
  name: 'decision.list',
  input: z.strictObject({ status: z.optional(z.enum(DECISION_STATUSES)), limit }),
  output: z.object({ decisions: z.array(decisionShape) }),
  async run(context, { status, limit: most }) {
    const { decisions } = await memoryNow(context);
    const rows = decisions.map(({ row }) => row).filter((row) => status === undefined || row.status === status);
    return { decisions: fitting(rows.slice(-(most ?? LIMITS.memoryRowsListed)).map(decisionRow)) };
  },
});
