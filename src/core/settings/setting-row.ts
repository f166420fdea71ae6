import * as z from 'zod/mini';

/** A setting for display: its value, and whether it comes from the file. */
export const settingRowShape = z.object({
  key: z.string(),
  /** Absent if it is unset and has no default. */
  value: z.optional(z.union([z.string(), z.number(), z.boolean()])),
  from: z.enum(['file', 'default', 'unset']),
});
export type SettingRow = z.infer<typeof settingRowShape>;
