import * as z from 'zod/mini';
import { candidatesIn } from '#core/roles/candidates.js';
import { indexTable } from '#core/roles/index-table.js';
import { readRoles } from '#core/roles/registry.js';
import { REGISTRY_FILE, ROLES_FOLDER } from '#core/roles/role-paths.js';
import { sessionContext } from '#core/roles/session-context.js';
import type { TeamContext } from '#operations/contexts.js';
import { operation } from '#operations/operation.js';
import { refreshIndexUnlessBusy } from './index-file.js';

/** Refreshes the table of roles and lists candidates. Without role files, nothing else is read or written. */
export const sessionStart = operation({
  name: 'roles.session-start',
  command: 'hook session-start',
  group: 'Roles',
  kind: 'read',
  where: 'caller',
  graphless: true,
  unlisted: true,
  summary: 'List graduation candidates',
  examples: [],
  input: z.strictObject({}),
  output: z.object({ context: z.optional(z.string()) }),
  async run(context: TeamContext) {
    const { texts } = await (await context.roleFiles()).read();
    if (![...texts.keys()].some((file) => file.startsWith(`${ROLES_FOLDER}/`))) return {};
    const registry = readRoles(texts);
    // A client waits for this: if another process is writing, the table is left as it is.
    if (texts.get(REGISTRY_FILE) !== indexTable(registry.cores)) await refreshIndexUnlessBusy(context);
    const about = sessionContext(candidatesIn(registry));
    return about === undefined ? {} : { context: about };
  },
});
