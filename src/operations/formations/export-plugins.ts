import * as z from 'zod/mini';
import { claudePlugins } from '#core/playbooks/claude-plugins.js';
import { PLUGINS } from '#core/playbooks/plugin-names.js';
import { parseCore } from '#core/roles/core-file.js';
import { STARTERS } from '#core/roles/starters.js';
import type { FilesContext, TeamContext } from '#operations/contexts.js';
import { argument, option } from '#operations/fields.js';
import { operation } from '#operations/operation.js';

/**
 * Writes a marketplace of plugins to a folder. Other files stay; overwriting a different file of the same name requires
 * `force`.
 */
export const exportClaudePlugins = operation({
  name: 'export.claude-plugins',
  command: 'export claude-plugins',
  group: 'Roles',
  kind: 'write',
  where: 'caller',
  place: 'here',
  graphless: true,
  summary: 'Write a plugin marketplace for Claude Code: roles, crew, panel and sweep',
  examples: [
    'troupe export claude-plugins plugins',
    'troupe export claude-plugins plugins --only roles,dev-crew --force',
  ],
  input: z.strictObject({
    folder: argument('The folder to create', z.string(), { path: 'always', writes: true }),
    only: option('Only these plugins (default: all four)', z.optional(z.array(z.enum(PLUGINS))), { value: 'NAMES' }),
    force: option('Overwrite an existing file', z.optional(z.boolean())),
  }),
  output: z.object({ folder: z.string(), plugins: z.array(z.string()), files: z.array(z.string()) }),
  run: async (context: TeamContext & FilesContext, { folder, only = [], force = false }) => {
    const plugins = only.length === 0 ? PLUGINS : PLUGINS.filter((name) => only.includes(name));
    const starters = await context.roleStarters();
    const charters = await Promise.all(
      STARTERS.map(async (name) => ({ name, charter: parseCore(name, await starters.text(name)).role.charter })),
    );
    const files = claudePlugins(plugins, charters);
    const outputs = await context.outputs();
    const place = await outputs.writeFolder(folder, files, { replace: force });
    return { folder: place, plugins: [...plugins], files: [...files.keys()] };
  },
});
