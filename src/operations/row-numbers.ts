import * as z from 'zod/mini';

// In a separate file because most commands load the other shapes.
/** A number of rows to show. */
export const positive = z.optional(z.int().check(z.minimum(1)));
/** The number of a row after which to begin. */
export const natural = z.optional(z.int().check(z.minimum(0)));
