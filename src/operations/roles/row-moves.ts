import * as z from 'zod/mini';
import { LANES, ROW_STATUSES } from '#core/roles/lane.js';
import { type Context, operation } from '#operations/operation.js';
import { editRoleFile } from './role-edit.js';
import { statusOfRow } from './row-status.js';

const input = z.strictObject({ name: z.string(), lane: z.enum(LANES) });
const output = z.object({
  name: z.string(),
  lane: z.enum(LANES),
  status: z.enum(ROW_STATUSES),
  changed: z.boolean(),
  seq: z.number(),
});

async function setStatus(context: Context, what: 'retire' | 'revive', { name, lane }: z.infer<typeof input>) {
  const { changed, seq } = await editRoleFile(context, { what, lane, role: name });
  const { texts } = await (await context.roleFiles()).read();
  return { name, lane, status: statusOfRow(texts, lane, name), changed, seq };
}

export const revive = operation({
  name: 'roles.revive',
  input,
  output,
  run: (context, wish) => setStatus(context, 'revive', wish),
});

export const retire = operation({
  name: 'roles.retire',
  input,
  output,
  run: (context, wish) => setStatus(context, 'retire', wish),
});
