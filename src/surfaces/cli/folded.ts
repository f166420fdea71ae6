import type { OperationSpec } from '#operations/operation-spec.js';
import { OPERATIONS } from '#operations/table.js';

/** Operations whose own command is an older name. */
export const FOLDED: readonly (OperationSpec & { readonly instead: string })[] = OPERATIONS.flatMap((operation) =>
  operation.instead === undefined ? [] : [{ ...operation, instead: operation.instead }],
);
