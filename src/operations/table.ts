/**
 * The table of operations, their types by name, the single way to call them, and code their folders share.
 * @packageDocumentation
 */
import { GRAPH_ROWS } from './graph-rows.js';
import type { OperationSpec } from './operation-spec.js';
import { OTHER_ROWS, UNLISTED_ROWS } from './other-rows.js';

/** All operations. Command line, HTTP and help are generated from this table; each operation declares its own row. */
export const OPERATIONS: readonly OperationSpec[] = [...GRAPH_ROWS, ...OTHER_ROWS];

/**
 * Operations without a command of their own, which pages and commands call by name. Landing is confirmed on the page
 * that shows it.
 */
export const UNLISTED: readonly OperationSpec[] = UNLISTED_ROWS;

/** The rows with their types, for `OperationMap`. */
export type Table = readonly [...typeof GRAPH_ROWS, ...typeof OTHER_ROWS, ...typeof UNLISTED_ROWS];
