import type { OperationSpec } from '#operations/operation-spec.js';
import { OPERATIONS } from '#operations/table.js';

export type Folded = OperationSpec & { readonly instead: string };

/** Operations whose own command is an older name. */
export const FOLDED: readonly Folded[] = OPERATIONS.flatMap((operation) =>
  operation.instead === undefined ? [] : [{ ...operation, instead: operation.instead }],
);
