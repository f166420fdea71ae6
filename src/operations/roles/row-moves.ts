import * as z from 'zod/mini';
import { LANES, ROW_STATUSES } from '#core/roles/lane.js';
import type { WorkContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';
import { editRoleFile } from './role-edit.js';
import { statusOfRow } from './row-status.js';

const input = z.strictObject({
  name: argument('The name of the role', z.string()),
  lane: option('crew, panel or research', z.enum(LANES), { value: 'L' }),
});
const output = z.object({
  name: z.string(),
  lane: z.enum(LANES),
  status: z.enum(ROW_STATUSES),
  changed: z.boolean(),
  seq: z.number(),
});

async function setStatus(context: WorkContext, what: 'retire' | 'revive', { name, lane }: z.infer<typeof input>) {
  const { changed, seq } = await editRoleFile(context, { what, lane, role: name });
  const { texts } = await (await context.roleFiles()).read();
  return { name, lane, status: statusOfRow(texts, lane, name), changed, seq };
}

export const revive = operation({
  name: 'roles.revive',
  command: 'roles revive',
  group: 'Roles',
  kind: 'write',
  graphless: true,
  instead: 'roles retire --undo',
  summary: 'Revive a retired row, with its counts at zero',
  examples: ['troupe roles retire qa --undo --lane crew', 'troupe roles retire qa --undo --lane crew --json'],
  input,
  output,
  run: (context: WorkContext, wish) => setStatus(context, 'revive', wish),
});

export const retire = operation({
  name: 'roles.retire',
  command: 'roles retire',
  group: 'Roles',
  kind: 'write',
  graphless: true,
  summary: 'Retire a row of a lane: kept, but never seated',
  examples: ['troupe roles retire qa --lane crew', 'troupe roles retire qa --lane crew --json'],
  input,
  output,
  run: (context: WorkContext, wish) => setStatus(context, 'retire', wish),
});
