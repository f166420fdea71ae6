import * as z from 'zod/mini';
import { DECISION_TYPES } from '#core/team/memory.js';
import { checkedAgent, checkedLine, checkedText } from '#core/team/memory-checks.js';
import { operation } from '#operations/operation.js';
import { decisionShape, rowNumber, shownDecision, text } from './memory-shapes.js';
import { kept, madeBy } from './memory-words.js';
import { changeMemory } from './shared-memory.js';

/** Writes down what was agreed on, without the way through the inbox. */
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
      title: kept('title', checkedLine('title', title)),
      content: kept('content', checkedText('the text', content)),
      rationale: kept('rationale', checkedText('the rationale', rationale)),
      ...(agent === undefined ? {} : { agent: kept('agent', checkedAgent(agent)) }),
      ...(supersedes === undefined ? {} : { supersedes }),
      ...madeBy(context),
    };
    return shownDecision(await changeMemory(context, (memory) => memory.decide(decided)));
  },
});
