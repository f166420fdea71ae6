import type { FunctionDraft } from '#core/playbooks/extract-function.js';

/** Ids of the tasks that a function was made from. */
export const sourcesOf = ({ extracted_from: sources }: FunctionDraft) => sources.map(({ task_id }) => task_id);
