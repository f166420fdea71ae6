import * as z from 'zod/mini';
import { indexTable } from '#core/roles/index-table.js';
import { readRoles } from '#core/roles/registry.js';
import { REGISTRY_FILE } from '#core/roles/role-paths.js';
import { INDEX_WRITER } from '#core/roles/writers.js';
import { asTroupeError } from '#kernel/errors.js';
import type { TeamContext } from '#operations/contexts.js';
import { type Context, operation } from '#operations/operation.js';
import type { PresentRoles, WriteRoles } from '#ports/role-files.js';

interface Refreshed {
  readonly roles: number;
  readonly changed: boolean;
}

/** Rewrites `registry.md` if it is outdated. Without roles, the file is not created. */
async function writeIndex({ texts }: PresentRoles, write: WriteRoles): Promise<Refreshed> {
  const { cores } = readRoles(texts);
  const before = texts.get(REGISTRY_FILE);
  const table = indexTable(cores);
  const changed = before !== table && (cores.size > 0 || before !== undefined);
  const wanted = new Map(changed ? [[REGISTRY_FILE, table]] : []);
  await write({ texts: wanted, proposals: new Map() }, undefined, async () => true);
  return { roles: cores.size, changed };
}

export async function refreshIndex(context: Pick<Context, 'roleFiles'>): Promise<Refreshed> {
  return await (await context.roleFiles()).change(INDEX_WRITER, writeIndex);
}

/** The same, unless another process holds the lock: the table can be refreshed later. */
export async function refreshIndexUnlessBusy(context: Pick<Context, 'roleFiles'>): Promise<void> {
  try {
    await (await context.roleFiles()).changeUnlessBusy(INDEX_WRITER, writeIndex);
  } catch (error) {
    if (asTroupeError(error).code !== 'locked') throw error;
  }
}

export const index = operation({
  name: 'roles.index',
  command: 'roles index',
  group: 'Roles',
  kind: 'write',
  graphless: true,
  forPrograms: true,
  summary: 'Update registry.md, the table of core roles',
  examples: ['troupe roles index', 'troupe roles index --json'],
  input: z.strictObject({}),
  output: z.object({ file: z.string(), roles: z.number(), changed: z.boolean() }),
  run: async (context: TeamContext) => ({ file: REGISTRY_FILE, ...(await refreshIndex(context)) }),
});
